/** One address that a host name leads to. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks up all addresses of a host name; rejects with an error of the system. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Port: what connections to remote servers need from the outside. */
export interface NetworkPorts {
  /** `mcpBridge.network.allowedHosts` of the user's own settings. The same list until they change. */
  readonly allowedHosts: () => readonly string[];
  /** Default: as the system does. */
  readonly resolve?: Resolve;
}
