import { allowedHostsSetting, type AllowedHosts } from './allowedHosts.ts';
import { hostOf, parseAddress, reachOfAddress, reachOfHost, type Reach } from './reach.ts';

/** What a connection is for: requests to the MCP server itself, or what a sign-in to it leads to. */
export type EgressRole = 'server' | 'document';

/** The server that all connections are made for. */
export interface EgressServer {
  /** Its address, with all variables expanded. */
  readonly url: string;
  /** See `namedHost`. */
  readonly namedHost?: string | undefined;
}

/** Why a connection is not made. */
export interface Refusal {
  /** What follows "because": "it …" or "its …". */
  readonly reason: string;
  /** One or more sentences on what the person can do; empty: nothing. */
  readonly advice: string;
}

/** What follows "it is" or "which is". */
const places: Readonly<Record<Reach, string>> = {
  public: 'on the Internet',
  loopback: 'this machine',
  private: 'in a private network',
  linkLocal: 'a link-local address',
  metadata: 'the metadata service of a cloud, which gives out credentials',
  reserved: 'no address of a public server',
};

/**
 * Which connections are made for one server (MCP specification, "Security Best Practices", SSRF): by `https:` to public
 * addresses; else only to what the user's own settings name. A server at an address of this machine may be on it, by
 * `http:` too, and so may then its authorization server.
 */
export class EgressRules {
  readonly #own: URL;
  readonly #ownReach: Reach;
  readonly #namedHost: string | undefined;
  readonly #allowed: AllowedHosts;

  constructor({ url, namedHost }: EgressServer, allowed: AllowedHosts) {
    this.#own = new URL(url);
    this.#ownReach = reachOfHost(hostOf(this.#own));
    this.#namedHost = namedHost;
    this.#allowed = allowed;
  }

  /** Why a request is not made, judged by the text of its address alone; `undefined` if it is fine. */
  refusal(address: string | URL, role: EgressRole): Refusal | undefined {
    const url = URL.parse(address);
    if (url === null) return refused('it is no address');
    const isServer = role === 'server';
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused(notSecure);
    if (url.username !== '' || url.password !== '') {
      return refused('it holds a user name or password', isServer ? useHeader : '');
    }
    // Browsers and shells have read more than that into addresses; names of containers have underscores.
    const usual = isServer ? /^[a-z0-9._-]+$/i : /^[a-z0-9.-]+$/i;
    if (!usual.test(url.hostname) && !/^\[[0-9a-f:.]+\]$/i.test(url.hostname)) {
      return refused('its host name is odd');
    }
    if (isServer && url.origin !== this.#own.origin) {
      return refused('it is not on the server that the settings name');
    }
    const host = hostOf(url);
    if (isServer && /^(0\.0\.0\.0|::)$/.test(host) && !this.#allowed.namesHost(host)) {
      return refused('its host stands for any address of this machine', useLocalhost);
    }
    return this.#protocolRefusal(url, host, role) ?? this.#textRefusal(host, role);
  }

  /** Why no connection is made to an address that the host of a URL, itself fine, leads to. */
  addressRefusal(url: URL, address: string, role: EgressRole): Refusal | undefined {
    const host = hostOf(url);
    const reach = reachOfAddress(address);
    const isName = parseAddress(host) === undefined;
    if (!isName && this.#isSame(host, address)) return undefined;
    const isLocalName = isName && reachOfHost(host) === 'loopback';
    if (isLocalName ? reach === 'loopback' : reach === 'public') return undefined;
    if (this.#allowsAddress(address, reach)) return undefined;
    const isNameEnough = !isLocalName && (reach === 'private' || reach === 'loopback');
    if (isNameEnough && this.#allowed.namesHost(host)) return undefined;
    if (reach === 'private' && !isLocalName && host === this.#namedHost) return undefined;
    const reason = `its host name leads to ${address}, which is ${places[reach]}`;
    return refused(reason, advice(isNameEnough ? host : address, reach, role));
  }

  #protocolRefusal({ protocol }: URL, host: string, role: EgressRole): Refusal | undefined {
    if (protocol === 'https:') return undefined;
    const isServer = role === 'server';
    const isHere = reachOfHost(host) === 'loopback';
    if (isHere && (isServer || this.#ownReach === 'loopback')) return undefined;
    // What a server names is no reason to send credentials in the clear, unless that is done anyway.
    const isOpen = isServer || this.#own.protocol === 'http:';
    if (!isOpen) return refused(notSecure);
    if (this.#allowed.namesHost(host)) return undefined;
    const plainly = `Write https:// if the server has it. To send everything, keys included, unencrypted all the same, add "${host}" to the setting "${allowedHostsSetting}" in your user settings.`;
    return refused(notSecure, isServer ? plainly : adviceToAdd(host));
  }

  #textRefusal(host: string, role: EgressRole): Refusal | undefined {
    const reach = reachOfHost(host);
    if (reach === 'public') return undefined;
    const isAddress = parseAddress(host) !== undefined;
    if (isAddress && this.#allowsAddress(host, reach)) return undefined;
    if (reach === 'loopback' && (role === 'server' || this.#ownReach === 'loopback')) {
      return undefined;
    }
    if (reach === 'private' && host === this.#namedHost) return undefined;
    const isNamed =
      reach === 'metadata' ? this.#allowed.hasName(host) : this.#allowed.namesHost(host);
    if (!isAddress && isNamed) return undefined;
    return refused(`its host is not public: it is ${places[reach]}`, advice(host, reach, role));
  }

  #allowsAddress(address: string, reach: Reach): boolean {
    return this.#allowed.namesAddress(address, reach === 'metadata');
  }

  /** The text of the address was looked at already. */
  #isSame(host: string, address: string): boolean {
    return parseAddress(host)?.toString() === parseAddress(address)?.toString();
  }
}

const useLocalhost =
  'Write localhost or 127.0.0.1 instead: a server that listens on all addresses is there too.';
const notSecure = 'it does not begin with https://';
const useHeader =
  'Remove them from "url" and write a header instead: "headers": { "Authorization": "Basic ${secret:my-login}" }, where the secret is user:password in base64.';

function refused(reason: string, advice = ''): Refusal {
  return { reason, advice };
}

/** Nobody is led to allow what a server can only mean ill by. */
function advice(entry: string, reach: Reach, role: EgressRole): string {
  return role === 'server' || reach === 'private' ? adviceToAdd(entry) : '';
}

function adviceToAdd(entry: string): string {
  return `If you trust it, add "${entry}" to the setting "${allowedHostsSetting}" in your user settings.`;
}
