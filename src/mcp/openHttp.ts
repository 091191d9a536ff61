import {
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type ConnectOptions,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../base/errors.ts';
import { BridgeError, toBridgeError } from '../core/failures.ts';
import { namedHost } from '../core/network/namedHost.ts';
import type { KnownEra } from '../core/servers/eraCache.ts';
import type { HttpLaunch } from '../core/settings/serverConfiguration.ts';
import { ownCredential } from './auth/ownCredential.ts';
import { bridgeErrorIn } from './auth/signInFailure.ts';
import { BoundedFetch, legacySse } from './boundedFetch.ts';
import { Egress } from './egress/egress.ts';
import { unsentHeaders } from './egress/nodeFetch.ts';
import { connectionRefused, httpFailure, httpStatus } from './httpFailure.ts';
import { knownEra, rememberEra } from './rememberedEra.ts';
import { Session, type SessionTransport } from './session.ts';
import { StreamWatch, maxStreamRetries } from './streamWatch.ts';
import {
  closeQuietly,
  connect,
  createClient,
  isEraFailure,
  isTimeout,
  type Era,
  type Opening,
} from './sessionClient.ts';

/** One way to reach a remote server. */
interface Attempt {
  readonly kind: 'http' | 'sse';
  readonly connect: ConnectOptions;
  readonly era: Era;
}

const attempts = {
  auto: { kind: 'http', connect: {}, era: 'auto' },
  modern: { kind: 'http', connect: {}, era: 'modern' },
  legacy: { kind: 'http', connect: { prior: { kind: 'legacy' } }, era: 'auto' },
  sse: { kind: 'sse', connect: {}, era: 'legacy' },
} as const satisfies Record<string, Attempt>;

/** How the SDK opens a dropped event stream again; how often at most says `ReopenBudget`. */
const reconnectionOptions = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1.7,
  maxReconnectionDelay: 30_000,
  maxRetries: maxStreamRetries,
} as const;

/** Connects to a remote server: the newest protocol it speaks, over the newest transport it has. */
export async function openHttp(launch: HttpLaunch, options: Opening): Promise<Session> {
  const configured: Attempt =
    launch.type === 'sse' ? attempts.sse : attempts[options.configuration.protocol];
  const known = configured === attempts.auto ? knownEra(options) : undefined;
  const remembered = known === 'legacy' || known === 'sse' ? attempts[known] : undefined;
  warnOfHeaders(launch, options);
  let attempt: Attempt | undefined = remembered ?? configured;
  let first: unknown;
  let last: unknown;
  while (attempt !== undefined) {
    try {
      const session = await openAttempt(attempt, launch, options);
      const isNew = configured === attempts.auto && attempt !== remembered;
      if (isNew) rememberEra(options, eraReached(attempt, session));
      return session;
    } catch (error: unknown) {
      options.signal.throwIfAborted();
      const refusal = bridgeErrorIn(error);
      if (refusal !== undefined) throw refusal;
      const status = httpStatus(error);
      if (attempt === remembered && status !== 401 && status !== 403) {
        options.log.debug(`it is no longer as remembered: ${errorMessage(error)}`);
        rememberEra(options);
        attempt = configured;
        continue;
      }
      first ??= error;
      last = error;
      options.log.debug(`${attempt.kind} did not work: ${errorMessage(error)}`);
      attempt = nextAttempt(attempt, error);
    }
  }
  // The first reason tells about the address as configured; a fall back that failed too adds little.
  throw connectFailure(httpStatus(first) === undefined ? last : first, launch, options);
}

function warnOfHeaders({ headers }: HttpLaunch, { log }: Opening): void {
  const names = unsentHeaders(headers);
  if (names.length === 0) return;
  log.warn(`not sent as set in "headers", because the connection decides: ${names.join(', ')}`);
}

/** Why there is no session, in words for the person. */
function connectFailure(failure: unknown, launch: HttpLaunch, options: Opening): Error {
  const beginning = `No session with ${new URL(launch.url).origin}`;
  if (isTimeout(failure)) {
    return new BridgeError(
      'timedOut',
      `${beginning}: the server did not answer within ${options.configuration.timeouts.connect} s. If it needs longer, raise "timeouts.connect".`,
      { summary: `no answer within ${options.configuration.timeouts.connect} s` },
    );
  }
  return (
    httpFailure(failure, beginning, ownCredential(launch)) ??
    toBridgeError(failure, 'handshakeFailed', beginning)
  );
}

/** What spares the next start a question that this server does not answer as a newer one would. */
function eraReached(attempt: Attempt, session: Session): KnownEra | undefined {
  if (attempt.kind === 'sse') return 'sse';
  return session.isModern ? undefined : 'legacy';
}

/** What to try after a failure: an older protocol, an older transport, or nothing. */
function nextAttempt(failed: Attempt, error: unknown): Attempt | undefined {
  const status = httpStatus(error);
  // Some servers leave a question open that they do not know.
  const mayBeOlder = isEraFailure(error) || isTimeout(error);
  if (failed === attempts.auto && mayBeOlder && status !== 401 && status !== 403) {
    return attempts.legacy;
  }
  // MCP specification, "Backwards Compatibility": these answers to the first POST mean an old server.
  const isOldServer =
    status === 400 || status === 404 || status === 405 || errorMessage(error).includes(legacySse);
  return failed.kind === 'http' && failed !== attempts.modern && isOldServer
    ? attempts.sse
    : undefined;
}

async function openAttempt(
  { kind, connect: connectOptions, era }: Attempt,
  { url, headers }: HttpLaunch,
  options: Opening,
): Promise<Session> {
  const address = new URL(url);
  const parts = createClient(options, era);
  const watch = kind === 'http' ? new StreamWatch(parts.changes) : undefined;
  const { configuration, network } = options;
  const egress = new Egress({
    ...{ role: 'server', url, namedHost: namedHost(configuration), network },
    failure: connectionRefused,
  });
  const { fetch: bounded } = new BoundedFetch(egress.fetch, configuration.timeouts.connect, watch);
  const authorized = options.authorization?.wrap(bounded, parts.calls) ?? bounded;
  let failure: unknown;
  const fetch: FetchLike = async (input, requestInit) => {
    try {
      return await authorized(input, requestInit);
    } catch (error: unknown) {
      failure = error;
      throw error;
    }
  };
  const init = { requestInit: { headers: { ...headers } }, fetch };
  const transport =
    kind === 'sse'
      ? new SSEClientTransport(address, init)
      : new StreamableHTTPClientTransport(address, { ...init, reconnectionOptions });
  const close = async (): Promise<void> => {
    // Ends the session at the server too (specification, "Session Management").
    if (transport instanceof StreamableHTTPClientTransport) {
      const ending = transport.terminateSession().catch(() => undefined);
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    }
    await closeQuietly(transport, options.log);
  };
  try {
    await connect(parts.client, transport, options, connectOptions);
  } catch (error: unknown) {
    // A session may have begun before the start was given up.
    await close();
    // The SDK's error of an event stream has no cause.
    throw error instanceof SseError && error.code === undefined ? (failure ?? error) : error;
  }
  let endReason = 'the connection was closed';
  if (transport instanceof SSEClientTransport) {
    const { onerror } = transport;
    transport.onerror = (error) => {
      onerror?.(error);
      // A new stream would belong to a new session, which nobody has initialised.
      if (!(error instanceof SseError)) return;
      endReason = 'the event stream was cut';
      void closeQuietly(transport, options.log);
    };
  }
  const sessionTransport: SessionTransport = {
    kind,
    endReason: () => endReason,
    hasSession: () =>
      transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined,
    close,
  };
  return new Session({ ...parts, transport: sessionTransport });
}
