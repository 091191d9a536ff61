import {
  Client,
  SdkError,
  SdkErrorCode,
  type ConnectOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { TimeoutError, withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import { RunningCalls } from './callClock.ts';
import { clientCapabilities, handleServerRequests } from './clientHandlers.ts';
import type { OpenOptions } from './openSession.ts';
import type { ListName } from './sessionLists.ts';
import { TolerantTransport } from './tolerantTransport.ts';

/** Milliseconds a remote server has to answer `server/discover` before it is taken for an older one. */
const probeTimeout = 2000;
/** The revision without a handshake. */
const modernRevision = '2026-07-28';

export interface Opening extends OpenOptions {
  /** On the clock of `performance.now()`: all attempts together must be done by then. */
  readonly deadline: number;
}

/** `auto` asks `server/discover` first, `legacy` shakes hands with `initialize`, `modern` does only the former. */
export type Era = 'auto' | 'legacy' | 'modern';

/** The SDK's client as we use it. `changes` tells of changed lists, `calls` are those that run. */
export function createClient(
  { version, log, configuration, features }: OpenOptions,
  era: Era,
): { client: Client; changes: Emitter<ListName>; calls: RunningCalls } {
  const calls = new RunningCalls();
  const changes = new Emitter<ListName>((error) => log.error(errorMessage(error)));
  const changed = (list: ListName) => ({
    autoRefresh: false,
    // The SDK would wait for a silence, which may never come.
    debounceMs: 0,
    onChanged: () => changes.fire(list),
  });
  const client = new Client(
    { name: 'mcp-bridge', title: 'MCP Bridge for VS Code', version },
    {
      capabilities: clientCapabilities(configuration),
      versionNegotiation: {
        mode: era === 'modern' ? { pin: modernRevision } : era,
        probe: { timeoutMs: probeTimeout },
      },
      listChanged: {
        tools: changed('tools'),
        resources: changed('resources'),
        prompts: changed('prompts'),
      },
    },
  );
  client.onerror = (error) => log.debug(error.message);
  const handlers = handleServerRequests(client, { configuration, features, calls, log });
  client.onclose = () => handlers.dispose();
  return { client, changes, calls };
}

/** Connects before the deadline; the SDK honours neither it nor the signal in every phase, so we do. */
export async function connect(
  client: Client,
  transport: Transport,
  { signal, deadline }: Opening,
  options: ConnectOptions = {},
): Promise<void> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const give = (): void => reject(new DOMException('The start was given up', 'AbortError'));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
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
