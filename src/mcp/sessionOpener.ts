import type { Logger } from '../base/log.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import type { ServerAuthorization } from './auth/serverAuthorization.ts';
import type { OpenOptions } from './openSession.ts';
import type { MaskedLogger } from './maskedLog.ts';
import { permittedLaunch } from './serverStates.ts';
import type { Session } from './session.ts';
import type { Turn } from './startGate.ts';

/** Port: opens a session; see `openSession`. */
export type OpenSession = (options: OpenOptions) => Promise<Session>;

/** Opens real sessions. The SDK is loaded with the first server that starts. */
export const openWithSdk: OpenSession = async (options) => {
  const { openSession } = await import('./openSession.ts');
  options.signal.throwIfAborted();
  return openSession(options);
};

/** A start that is under way. */
export interface Starting {
  readonly done: Promise<void>;
  readonly abort: AbortController;
  readonly turn: Turn;
}

interface Start {
  /** As it is at each moment. */
  readonly wanted: () => WantedServer;
  readonly ports: ServerHostPorts;
  readonly open: OpenSession;
  /** How access to a remote server is had. */
  readonly authorization: () => Promise<ServerAuthorization | undefined>;
  readonly log: Logger & Partial<MaskedLogger>;
  readonly turn: Turn;
  readonly signal: AbortSignal;
  readonly onState: (state: ConnectionState) => void;
}

/**
 * Opens the session of a server when it is its turn; gives none when the signal was aborted before. It may be
 * aborted since: who gets a session looks. Throws as `openSession` does.
 */
export async function openInTurn(start: Start): Promise<Session | undefined> {
  const { wanted, ports, log, turn, signal, onState } = start;
  await permittedLaunch(wanted(), ports);
  if (signal.aborted) return undefined;
  const entering = turn.enter();
  if (!turn.isAdmitted) {
    onState({ kind: 'starting', since: Date.now(), isQueued: true });
    await entering;
    if (signal.aborted) return undefined;
  }
  // What was allowed before the queue may not be any more.
  const launch = await permittedLaunch(wanted(), ports);
  if (signal.aborted) return undefined;
  log.info('starting');
  onState({ kind: 'starting', since: Date.now() });
  const { clientFeatures: features, version, eras, network } = ports;
  const { configuration } = wanted();
  const authorization = await start.authorization();
  if (signal.aborted) return undefined;
  const options = { launch, configuration, features, version, log, signal, authorization, network };
  return start.open({ ...options, ...(eras !== undefined && { eras }) });
}
