import ipaddr from 'ipaddr.js';
import type { Problem } from '../problem.ts';
import { shortened } from '../boundedText.ts';
import { visibleLine } from '../visibleLine.ts';
import { hostOf, isWithin, parseAddress } from './reach.ts';

/** The setting, as people write it. */
export const allowedHostsSetting = 'mcpBridge.network.allowedHosts';

/** Most entries read, and characters of one. */
const maxEntries = 1000;
const maxLength = 300;

/** The hosts that the user's own settings allow connections to, though they are not public or have no TLS. */
export class AllowedHosts {
  readonly #names = new Set<string>();
  /** Ends of names, with their dot; that of `*` is empty. */
  readonly #ends: string[] = [];
  readonly #networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];

  /** `entries`: host names, `*.example.com` for all names below one, `*`, IP addresses, and ranges such as `10.0.0.0/8`. */
  constructor(entries: readonly string[]) {
    for (const entry of entries.slice(0, maxEntries)) this.#add(entry.trim());
  }

  /** Whether an entry names a host as it stands in an address, be it a name or an IP address. */
  namesHost(host: string): boolean {
    if (this.#names.has(host) || this.#ends.some((end) => host.endsWith(end))) return true;
    return this.namesAddress(host);
  }

  /** Whether an entry is this name itself. */
  hasName(host: string): boolean {
    return this.#names.has(host);
  }

  /** Whether an entry is this IP address, or a range that holds it. `isAlone`: only the former counts. */
  namesAddress(text: string, isAlone = false): boolean {
    const address = parseAddress(text);
    if (address === undefined) return false;
    const bits = address.kind() === 'ipv4' ? 32 : 128;
    return this.#networks.some(
      (network) => isWithin(address, network) && (!isAlone || network[1] === bits),
    );
  }

  #add(entry: string): void {
    const network = networkOf(entry);
    const name = nameOf(entry);
    if (network !== undefined) this.#networks.push(network);
    else if (name?.startsWith('*') === true) this.#ends.push(name.slice(1));
    else if (name !== undefined) this.#names.add(name);
  }
}

/** What is wrong with the setting: entries that are no host name, pattern, address or range. */
export function hostProblems(entries: readonly string[]): Problem[] {
  return entries
    .slice(0, maxEntries)
    .filter((entry) => networkOf(entry.trim()) === undefined && nameOf(entry.trim()) === undefined)
    .map((entry) => ({
      where: 'network.allowedHosts',
      message: `"${shortened(visibleLine(entry), 100)}" in "${allowedHostsSetting}" allows nothing: write a host name, *.example.com, an IP address or a range such as 10.0.0.0/8, without https://, port or path.`,
    }));
}

function networkOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  const address = parseAddress(entry.replace(/^\[(.*)\]$/, '$1'));
  if (address !== undefined) return [address, address.kind() === 'ipv4' ? 32 : 128];
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) || ipaddr.IPv6.isValidCIDR(entry);
  return isRange ? ipaddr.parseCIDR(entry) : undefined;
}

/** A name as addresses have it (`xn--…` where it is not ASCII), or a pattern with such a one. */
function nameOf(entry: string): string | undefined {
  if (entry === '*') return entry;
  if (entry.length > maxLength) return undefined;
  const [, star = '', rest = ''] = /^(\*\.)?([^\s/:?#@%*[\]\\]+)$/.exec(entry) ?? [];
  const url = URL.parse(`https://${rest}/`);
  const name = url === null ? '' : hostOf(url);
  // A number is an IPv4 address to `URL`; nobody means one by it.
  return name === '' || parseAddress(name) !== undefined ? undefined : `${star}${name}`;
}
