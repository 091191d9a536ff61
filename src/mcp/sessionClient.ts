import {
  Client,
  SdkError,
  SdkErrorCode,
  type ConnectOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { TimeoutError, abortOf, withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { RunningCalls } from './callClock.ts';
import { clientCapabilities, handleServerRequests } from './clientHandlers.ts';
import { ListChanges } from './listChanges.ts';
import type { OpenOptions } from './openSession.ts';
import type { SessionOptions } from './session.ts';
import { TolerantTransport } from './tolerantTransport.ts';

/** Of the time there is, what a remote server has to answer `server/discover` before it is asked as an older one. */
const probeShare = 1 / 3;
/** The revision without a handshake. */
const modernRevision = '2026-07-28';

export interface Opening extends OpenOptions {
  /** On the clock of `performance.now()`: all attempts together must be done by then. */
  readonly deadline: number;
}

/** `auto` asks `server/discover` first, `legacy` shakes hands with `initialize`, `modern` does only the former. */
export type Era = 'auto' | 'legacy' | 'modern';

/** The SDK's client as we use it, with what a session is told of it. */
export function createClient(
  { version, log, configuration, features, deadline }: Opening,
  era: Era,
): Pick<SessionOptions, 'client' | 'calls' | 'handlers' | 'changes' | 'log'> {
  const calls = new RunningCalls();
  const left = Math.max(deadline - performance.now(), 1);
  const client = new Client(
    { name: 'mcp-bridge', title: 'MCP Bridge for VS Code', version },
    {
      capabilities: clientCapabilities(configuration),
      versionNegotiation: {
        mode: era === 'modern' ? { pin: modernRevision } : era,
        probe: { timeoutMs: era === 'auto' ? left * probeShare : left },
      },
    },
  );
  client.onerror = (error) => log.debug(error.message);
  const handlers = handleServerRequests(client, { configuration, features, calls, log });
  client.onclose = () => handlers.dispose();
  return { client, calls, handlers, changes: new ListChanges(client, log), log };
}

/** Connects before the deadline; the SDK honours neither it nor the signal in every phase, so we do. */
export async function connect(
  client: Client,
  transport: Transport,
  { signal, deadline }: Opening,
  options: ConnectOptions = {},
): Promise<void> {
  const aborted = abortOf(signal);
  const timeout = Math.max(deadline - performance.now(), 1);
  const tolerant = new TolerantTransport(transport);
  const connecting = client.connect(tolerant, { ...options, timeout, signal });
  // Whichever loses must not end as an unhandled rejection.
  connecting.catch(() => undefined);
  aborted.catch(() => undefined);
  await withTimeout(Promise.race([connecting, aborted]), timeout);
}

export async function closeQuietly(transport: Transport, log: Logger): Promise<void> {
  try {
    await transport.close();
  } catch (error: unknown) {
    log.debug(`closing failed: ${errorMessage(error)}`);
  }
}

export function isTimeout(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** The server does not speak what was asked for. */
export function isEraFailure(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}
