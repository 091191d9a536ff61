import {
  Client,
  SSEClientTransport,
  SdkError,
  SdkErrorCode,
  SseError,
  StreamableHTTPClientTransport,
  type ConnectOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { TimeoutError, withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import {
  BridgeError,
  exitText,
  exitedDuringStart,
  startTimedOut,
  toBridgeError,
} from '../core/failures.ts';
import type {
  HttpLaunch,
  ServerLaunch,
  StdioLaunch,
} from '../core/settings/serverConfiguration.ts';
import { httpFailure, httpStatus } from './httpFailure.ts';
import { Session, type SessionTransport } from './session.ts';
import type { ListName } from './sessionLists.ts';
import { StdioTransport } from './stdioTransport.ts';

/** Milliseconds a remote server has to answer `server/discover` before it is taken for an older one. */
const probeTimeout = 2000;

export interface OpenOptions {
  /** Launch with all variables expanded. */
  readonly launch: ServerLaunch;
  readonly connectSeconds: number;
  /** Version of the bridge, told to the server. */
  readonly version: string;
  /** Texts of the server are masked by the caller. */
  readonly log: Logger;
  /** Gives up the start; whatever was started until then is stopped. */
  readonly signal: AbortSignal;
}

/**
 * Starts or connects to a server and shakes hands (MCP specification, "Lifecycle"). Throws a `BridgeError`
 * that says why it did not work; no process and no connection is left then.
 */
export function openSession(options: OpenOptions): Promise<Session> {
  const { launch } = options;
  const opening = { ...options, deadline: performance.now() + options.connectSeconds * 1000 };
  return launch.type === 'stdio' ? openStdio(launch, opening) : openHttp(launch, opening);
}

interface Opening extends OpenOptions {
  /** On the clock of `performance.now()`: all attempts together must be done by then. */
  readonly deadline: number;
}

async function openStdio(launch: StdioLaunch, options: Opening): Promise<Session> {
  const transport = new StdioTransport(launch, options.log, options.signal);
  const { client, changes } = createClient(options);
  try {
    await connect(client, transport, options);
  } catch (error: unknown) {
    // Closing ends the process too, which must not be taken for the cause.
    const endsItself = transport.exit !== undefined || transport.isBroken;
    await transport.close();
    options.signal.throwIfAborted();
    if (endsItself && transport.exit !== undefined) {
      throw exitedDuringStart(transport.exit, transport.lastWords);
    }
    if (isTimeout(error)) throw startTimedOut(options.connectSeconds, transport.lastWords);
    throw toBridgeError(error, 'handshakeFailed', 'The handshake with the server failed');
  }
  const sessionTransport: SessionTransport = {
    kind: 'stdio',
    pid: transport.pid,
    endReason: () =>
      transport.exit === undefined
        ? 'the connection was closed'
        : `its process ended with ${exitText(transport.exit)}`,
    close: () => closeQuietly(transport, options.log),
  };
  return new Session(client, sessionTransport, changes.event, options.log);
}

/** One way to reach a remote server. */
interface Attempt {
  readonly kind: 'http' | 'sse';
  readonly connect: ConnectOptions;
  readonly era: 'auto' | 'legacy';
}

const attempts = {
  modern: { kind: 'http', connect: {}, era: 'auto' },
  legacy: { kind: 'http', connect: { prior: { kind: 'legacy' } }, era: 'auto' },
  sse: { kind: 'sse', connect: {}, era: 'legacy' },
} as const satisfies Record<string, Attempt>;

async function openHttp(launch: HttpLaunch, options: Opening): Promise<Session> {
  let attempt: Attempt | undefined = launch.type === 'sse' ? attempts.sse : attempts.modern;
  let first: unknown;
  let last: unknown;
  while (attempt !== undefined) {
    try {
      return await openAttempt(attempt, launch, options);
    } catch (error: unknown) {
      options.signal.throwIfAborted();
      first ??= error;
      last = error;
      options.log.debug(`${attempt.kind} did not work: ${errorMessage(error)}`);
      attempt = nextAttempt(attempt, error);
    }
  }
  // The first reason tells about the address as configured; a fall back that failed too adds little.
  const failure = httpStatus(first) === undefined ? last : first;
  const beginning = `No session with ${new URL(launch.url).origin}`;
  if (isTimeout(failure)) {
    throw new BridgeError(
      'timedOut',
      `${beginning}: the server did not answer within ${options.connectSeconds} s. If it needs longer, raise "timeouts.connect".`,
      { summary: `no answer within ${options.connectSeconds} s` },
    );
  }
  throw httpFailure(failure, beginning) ?? toBridgeError(failure, 'handshakeFailed', beginning);
}

/** What to try after a failure: an older protocol, an older transport, or nothing. */
function nextAttempt(failed: Attempt, error: unknown): Attempt | undefined {
  const status = httpStatus(error);
  if (failed === attempts.modern && isEraFailure(error) && status !== 401 && status !== 403) {
    return attempts.legacy;
  }
  // MCP specification, "Backwards Compatibility": these answers to the first POST mean an old server.
  const isOldServer = status === 400 || status === 404 || status === 405;
  return failed.kind === 'http' && isOldServer ? attempts.sse : undefined;
}

async function openAttempt(
  { kind, connect: connectOptions, era }: Attempt,
  { url, headers }: HttpLaunch,
  options: Opening,
): Promise<Session> {
  const address = new URL(url);
  const network = new NotingFetch();
  const init = { requestInit: { headers: { ...headers } }, fetch: network.fetch };
  const transport =
    kind === 'sse'
      ? new SSEClientTransport(address, init)
      : new StreamableHTTPClientTransport(address, init);
  const { client, changes } = createClient(options, era);
  try {
    await connect(client, transport, options, connectOptions);
  } catch (error: unknown) {
    await closeQuietly(transport, options.log);
    // The SDK's error of an event stream has no cause.
    throw error instanceof SseError && error.code === undefined ? (network.error ?? error) : error;
  }
  const sessionTransport: SessionTransport = {
    kind,
    endReason: () => 'the connection was closed',
    close: async () => {
      // Ends the session at the server too (specification, "Session Management").
      if (transport instanceof StreamableHTTPClientTransport) {
        const ending = transport.terminateSession().catch(() => undefined);
        await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
      }
      await closeQuietly(transport, options.log);
    },
  };
  return new Session(client, sessionTransport, changes.event, options.log);
}

/** `fetch` that remembers how it last failed. */
class NotingFetch {
  error: unknown;

  readonly fetch: typeof fetch = async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error: unknown) {
      this.error = error;
      throw error;
    }
  };
}

function createClient(
  { version, log }: OpenOptions,
  era: 'auto' | 'legacy' = 'legacy',
): { client: Client; changes: Emitter<ListName> } {
  const changes = new Emitter<ListName>((error) => log.error(errorMessage(error)));
  const changed = (list: ListName, debounceMs: number) => ({
    autoRefresh: false,
    debounceMs,
    onChanged: () => changes.fire(list),
  });
  const client = new Client(
    { name: 'mcp-bridge', title: 'MCP Bridge for VS Code', version },
    {
      capabilities: {},
      versionNegotiation: { mode: era, probe: { timeoutMs: probeTimeout } },
      listChanged: {
        tools: changed('tools', 300),
        // Of resources whole families come and go, and their list stands in the description of a tool.
        resources: changed('resources', 1000),
        prompts: changed('prompts', 1000),
      },
    },
  );
  client.onerror = (error) => log.debug(error.message);
  return { client, changes };
}

/** Connects before the deadline; the SDK honours neither it nor the signal in every phase, so we do. */
async function connect(
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
  const connecting = client.connect(transport, { ...options, timeout, signal });
  // Whichever loses must not end as an unhandled rejection.
  connecting.catch(() => undefined);
  aborted.catch(() => undefined);
  await withTimeout(Promise.race([connecting, aborted]), timeout);
}

async function closeQuietly(transport: Transport, log: Logger): Promise<void> {
  try {
    await transport.close();
  } catch (error: unknown) {
    log.debug(`closing failed: ${errorMessage(error)}`);
  }
}

function isTimeout(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function isEraFailure(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}
