import { lookup as resolveName } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Addresses that no public server has (IANA special-purpose registries), loopback apart. */
const reserved = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 128],
  // NAT64 and 6to4 wrap any IPv4 address.
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  reserved.addSubnet(net, prefix, 'ipv6');
}
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

type Reach = 'public' | 'private' | 'loopback';

/** Names that resolve within a network only, whatever they resolve to. */
const privateNames = /(^|\.)(internal|local|localdomain|home\.arpa|svc|cluster\.local)$/;

function reachOfAddress(address: string): Reach {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  // An IPv4 address within an IPv6 one is found in the lists as such.
  if (loopback.check(address, family)) return 'loopback';
  return reserved.check(address, family) ? 'private' : 'public';
}

/** How far the host of a URL is from here, as far as its name tells. */
function reachOf({ hostname }: URL): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (isIP(host) !== 0) return reachOfAddress(host);
  return privateNames.test(host) ? 'private' : 'public';
}

/**
 * What an MCP server may send us and the person to for a sign-in (MCP specification, "Security Best Practices",
 * SSRF): `https:`; hosts of this machine or of a private network only when the server itself is on one, and then
 * this machine also by `http:`.
 */
export class AddressRules {
  readonly #own: URL;
  #ownAddresses: Promise<readonly string[]> | undefined;

  /** `server`: the address of the MCP server as the person wrote it. */
  constructor(server: string) {
    this.#own = new URL(server);
  }

  /** Why the address is not to be used, judged by its text alone; `undefined` if it is fine. */
  refusal(address: string | URL): string | undefined {
    const url = URL.parse(address);
    if (url === null) return 'it is no address';
    const own = reachOf(this.#own);
    const reach = reachOf(url);
    if (url.protocol !== 'https:') {
      const isHere = url.protocol === 'http:' && reach === 'loopback' && own === 'loopback';
      if (!isHere) return 'it does not begin with https://';
    }
    if (url.username !== '' || url.password !== '') return 'it holds a user name';
    // Browsers and shells have read more than that into addresses.
    if (!/^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/i.test(url.hostname)) return 'its host name is odd';
    const isOwn = url.hostname === this.#own.hostname;
    return reach === 'public' || own !== 'public' || isOwn ? undefined : 'its host is not public';
  }

  /** The same, for what the host name resolves to now. A name that does not resolve is left to the request. */
  async resolvedRefusal(address: string | URL): Promise<string | undefined> {
    const refusal = this.refusal(address);
    if (refusal !== undefined) return refusal;
    const url = new URL(address);
    if (url.hostname === this.#own.hostname || reachOf(this.#own) !== 'public') return undefined;
    const found = await addressesOf(url);
    if (found.every((one) => reachOfAddress(one) === 'public')) return undefined;
    this.#ownAddresses ??= addressesOf(this.#own);
    const isWithin = (await this.#ownAddresses).some((one) => reachOfAddress(one) !== 'public');
    return isWithin ? undefined : 'its host name leads into a private network';
  }
}

async function addressesOf({ hostname }: URL): Promise<string[]> {
  try {
    const found = await resolveName(hostname.replace(/^\[|\]$/g, ''), { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}
