import ipaddr from 'ipaddr.js';

/**
 * How far an address is from here. `metadata`: a service of the cloud a machine runs in, which gives out credentials;
 * `reserved`: what no server on the Internet has.
 */
export type Reach = 'public' | 'loopback' | 'private' | 'linkLocal' | 'metadata' | 'reserved';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The address of a text in its usual spelling, an IPv4 address within an IPv6 one taken out; `undefined`: it is none. */
export function parseAddress(text: string): Address | undefined {
  // Most texts are names, and the library is slow to say no.
  if (/^[\d.]+$/.test(text)) {
    // Node's resolver and `URL` give IPv4 addresses in four decimal parts only.
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  if (!text.includes(':') || !ipaddr.IPv6.isValid(text)) return undefined;
  return withoutWrapping(ipaddr.IPv6.parse(text));
}

/** Networks whose addresses end in an IPv4 address, which is where a connection leads. */
const wrappings = [
  // Mapped (RFC 4291), translated (RFC 7915), NAT64 (RFC 6052), compatible (RFC 4291).
  ...['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96'],
].map((network) => ipaddr.IPv6.parseCIDR(network));

function withoutWrapping(address: ipaddr.IPv6): Address {
  // `::` and `::1` are no compatible addresses.
  if (address.parts.slice(0, 7).every((part) => part === 0)) return address;
  return wrappings.some((network) => address.match(network))
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address;
}

const metadataServices: ReadonlySet<string> = new Set(
  [
    // Most clouds, containers and pods of AWS, its IPv6 ones, that of Google, Alibaba, Oracle, Azure.
    ...['169.254.169.254', '169.254.170.2', '169.254.170.23', 'fd00:ec2::254', 'fd00:ec2::23'],
    ...['fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ].map((text) => ipaddr.parse(text).toString()),
);

/** Networks that are used within organisations and by VPNs, though some have another purpose. */
const privateNetworks = ['198.18.0.0/15', '64:ff9b:1::/48'].map((network) =>
  ipaddr.parseCIDR(network),
);
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

const reaches: Readonly<Record<string, Reach>> = {
  loopback: 'loopback',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  linkLocal: 'linkLocal',
};

/** How far an IP address is (IANA special-purpose address registries). What is no address counts as reserved. */
export function reachOfAddress(text: string): Reach {
  const address = parseAddress(text);
  if (address === undefined) return 'reserved';
  if (metadataServices.has(address.toString())) return 'metadata';
  if (privateNetworks.some((network) => isWithin(address, network))) return 'private';
  const range = address.range();
  if (range !== 'unicast') return reaches[range] ?? 'reserved';
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast) ? 'public' : 'reserved';
}

export function isWithin(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** The host of a URL as it is compared: without the brackets of an IPv6 address and the dot at the end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

const metadataNames =
  /^(metadata(\.google\.internal|\.goog|\.azure\.internal|\.tencentyun\.com)?|instance-data(\.ec2\.internal)?)$/;
/** Names that resolve within a network only, whatever they resolve to. */
const privateNames =
  /(^|\.)(internal|local|localdomain|lan|home|corp|private|intranet|home\.arpa|svc|cluster\.local)$/;

/** How far a host is, as far as its name tells. */
export function reachOfHost(host: string): Reach {
  if (parseAddress(host) !== undefined) return reachOfAddress(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (metadataNames.test(host)) return 'metadata';
  return !host.includes('.') || privateNames.test(host) ? 'private' : 'public';
}
