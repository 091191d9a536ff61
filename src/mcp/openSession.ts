import type { Logger } from '../base/log.ts';
import type { ClientFeatures } from '../core/clientFeatures/clientFeatures.ts';
import type { EraCache } from '../core/servers/eraCache.ts';
import type { NetworkPorts } from '../core/network/networkPorts.ts';
import type { ServerConfiguration, ServerLaunch } from '../core/settings/serverConfiguration.ts';
import type { ServerAuthorization } from './auth/serverAuthorization.ts';
import type { MaskedLogger } from './maskedLog.ts';
import { openHttp } from './openHttp.ts';
import { openStdio } from './openStdio.ts';
import type { Session } from './session.ts';

export interface OpenOptions {
  /** Launch with all variables expanded. */
  readonly launch: ServerLaunch;
  readonly configuration: ServerConfiguration;
  /** What the server may ask of us. */
  readonly features: ClientFeatures;
  /** Access to a remote server; without it, only what stands in `headers` is sent. */
  readonly authorization?: ServerAuthorization | undefined;
  /** Which hosts that are not public may be connected to; see `ServerHostPorts`. */
  readonly network?: NetworkPorts | undefined;
  /** Version of the bridge, told to the server. */
  readonly version: string;
  /** Texts of the server are masked by the caller. */
  readonly log: Logger & Partial<MaskedLogger>;
  /** Gives up the start; whatever was started until then is stopped. */
  readonly signal: AbortSignal;
  /** What the server is known to speak; without it every start finds out anew. */
  readonly eras?: EraCache;
}

/**
 * Starts or connects to a server and shakes hands (MCP specification, "Lifecycle"). Throws a `BridgeError`
 * that says why it did not work; no process and no connection is left then.
 */
export function openSession(options: OpenOptions): Promise<Session> {
  const { launch, configuration } = options;
  const deadline = performance.now() + configuration.timeouts.connect * 1000;
  const opening = { ...options, deadline };
  return launch.type === 'stdio' ? openStdio(launch, opening) : openHttp(launch, opening);
}
