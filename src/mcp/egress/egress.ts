import type { FetchLike } from '@modelcontextprotocol/client';
import type { BridgeError } from '../../core/failures.ts';
import { AllowedHosts } from '../../core/network/allowedHosts.ts';
import {
  EgressRules,
  type EgressRole,
  type EgressServer,
  type Refusal,
} from '../../core/network/egressRules.ts';
import type { NetworkPorts, Resolve } from '../../core/network/networkPorts.ts';
import { hostOf } from '../../core/network/reach.ts';
import { nodeFetch } from './nodeFetch.ts';
import { resolveInTime, systemResolve, vettedLookup } from './vettedLookup.ts';

interface EgressOptions extends EgressServer {
  readonly role: EgressRole;
  readonly network: NetworkPorts | undefined;
  /** What a request rejects with that is refused. */
  readonly failure: (url: URL, refusal: Refusal) => BridgeError;
}

const nothing: readonly string[] = [];

/**
 * The way out to the network for one server and one purpose. Every request is checked by the text of its address, and every
 * connection by the address it is made to. Where a proxy of the editor's settings makes the connection, names are looked up
 * by the proxy, and only the text is checked. Redirects are not followed: each is a request of its own.
 */
export class Egress {
  readonly #options: EgressOptions;
  #known: { readonly entries: readonly string[]; readonly rules: EgressRules } | undefined;

  constructor(options: EgressOptions) {
    this.#options = options;
  }

  /** Rejects with the given failure where it is refused, and else as `nodeFetch` does. */
  readonly fetch: FetchLike = async (input, init = {}) => {
    const { failure } = this.#options;
    const url = new URL(input);
    const refused = this.refusal(url);
    if (refused !== undefined) throw failure(url, refused);
    const refusal = (address: string): BridgeError | undefined => {
      const found = this.#rules.addressRefusal(url, address, this.#options.role);
      return found && failure(url, found);
    };
    return nodeFetch(url, init, { lookup: vettedLookup(refusal, this.#resolve), refusal });
  };

  /** Why there is no request to an address, judged by its text. */
  refusal(address: string | URL): Refusal | undefined {
    return this.#rules.refusal(address, this.#options.role);
  }

  /** The same, for what the host name leads to now: of addresses that others go to, such as a browser. */
  async resolvedRefusal(address: string | URL): Promise<Refusal | undefined> {
    const refused = this.refusal(address);
    if (refused !== undefined) return refused;
    const url = new URL(address);
    try {
      const found = await resolveInTime(hostOf(url), this.#resolve);
      return found
        .map((one) => this.#rules.addressRefusal(url, one.address, this.#options.role))
        .find((refusal) => refusal !== undefined);
    } catch {
      // A browser may know a proxy that can look it up.
      return undefined;
    }
  }

  get #resolve(): Resolve {
    return this.#options.network?.resolve ?? systemResolve;
  }

  get #rules(): EgressRules {
    const entries = this.#options.network?.allowedHosts() ?? nothing;
    if (this.#known?.entries !== entries) {
      this.#known = { entries, rules: new EgressRules(this.#options, new AllowedHosts(entries)) };
    }
    return this.#known.rules;
  }
}
