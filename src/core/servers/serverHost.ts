import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/log.ts';
import type { ClientFeatures } from '../clientFeatures/clientFeatures.ts';
import type { ResolvedLaunch } from '../settings/resolveLaunch.ts';
import type { NetworkPorts } from '../network/networkPorts.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { ToolCache } from '../tools/toolCache.ts';
import type { EraCache } from './eraCache.ts';
import type { McpServers } from './mcpServers.ts';
import type { SignInPorts } from './signIn.ts';

/** A configured server together with what its variables expand to now. */
export interface WantedServer {
  readonly id: string;
  readonly configuration: ServerConfiguration;
  readonly resolved: ResolvedLaunch;
}

/** Port: the servers as the composition root drives them. */
export interface ServerHost extends McpServers, Disposable {
  /**
   * Takes over the settings: stops what is gone, starts anew only servers whose launch differs, starts what
   * is new and set to `auto`. Returns at once; nothing waits for a server.
   */
  update(wanted: readonly WantedServer[]): void;
  /**
   * Signs the person in to a remote server, on their order, and starts it. Rejects with a `BridgeError` that says why it
   * did not work, or when the signal aborts.
   */
  signIn(id: string, signal: AbortSignal): Promise<void>;
  /** Forgets the sign-in, and tells the authorization server. */
  signOut(id: string): Promise<void>;
  /** Stops every server; resolves when all processes are gone. */
  stopAll(): Promise<void>;
}

/** What is to be launched; without `resolved` nothing of ours is. */
interface LaunchCandidate {
  readonly configuration: ServerConfiguration;
  readonly resolved?: ResolvedLaunch;
}

/** What a host needs from the outside. */
export interface ServerHostPorts {
  readonly log: Logger;
  /** Version of the extension, told to servers. */
  readonly version: string;
  readonly toolCache: ToolCache;
  /** Without it every start finds out anew what a server speaks. */
  readonly eras?: EraCache;
  readonly clientFeatures: ClientFeatures;
  /** Without it, connections are made only to public addresses and to what entries of the user name. */
  readonly network?: NetworkPorts;
  /** Without it, nobody can sign in to a server. */
  readonly signIn?: SignInPorts;
  /** Asked before every start; a text is the reason why the server may not be started or connected to. */
  mayLaunch(server: LaunchCandidate): string | undefined | Promise<string | undefined>;
}
