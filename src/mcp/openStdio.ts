import { ProtocolError } from '@modelcontextprotocol/client';
import { errorMessage } from '../base/errors.ts';
import {
  type BridgeError,
  exitText,
  exitedDuringStart,
  gaveUpDuringStart,
  protocolMismatch,
  startTimedOut,
  toBridgeError,
} from '../core/failures.ts';
import type { StdioLaunch } from '../core/settings/serverConfiguration.ts';
import { knownEra, rememberEra } from './rememberedEra.ts';
import { Session, type SessionTransport } from './session.ts';
import {
  closeQuietly,
  connect,
  createClient,
  isEraFailure,
  isTimeout,
  type Opening,
} from './sessionClient.ts';
import { StdioTransport } from './stdioTransport.ts';

/** JSON-RPC error code "Unsupported protocol version"; early drafts had another one. */
const unsupportedVersion = new Set([-32_022, -32_004]);

/**
 * Starts a local server. Almost all of them know `initialize`, so with `auto` that is asked first: no server is
 * kept waiting by, or dies of, a question it does not know. Only one that says it is too new for it is
 * started a second time for the revision without a handshake; that is remembered for the next start.
 */
export async function openStdio(launch: StdioLaunch, options: Opening): Promise<Session> {
  if (options.configuration.protocol === 'modern') return openAttempt(launch, options, 'modern');
  if (knownEra(options) === 'modern') {
    try {
      return await openAttempt(launch, options, 'modern');
    } catch (error: unknown) {
      rememberEra(options);
      options.signal.throwIfAborted();
      // An older server refuses the new question, or ends; whatever else is wrong would be so again.
      const { cause, code } = error as BridgeError;
      if (!isEraFailure(cause) && code !== 'handshakeFailed') throw error;
      options.log.debug(`it is no longer as remembered: ${errorMessage(error)}`);
    }
  }
  try {
    return await openAttempt(launch, options, 'legacy');
  } catch (error: unknown) {
    const { cause } = error as Error;
    if (options.configuration.protocol === 'legacy' || !isTooNew(cause)) throw error;
    options.log.debug(`initialize was refused: ${errorMessage(cause)}`);
    const session = await openAttempt(launch, options, 'modern');
    rememberEra(options, 'modern');
    return session;
  }
}

async function openAttempt(
  launch: StdioLaunch,
  options: Opening,
  era: 'legacy' | 'modern',
): Promise<Session> {
  const transport = new StdioTransport(launch, options.log, options.signal);
  const parts = createClient(options, era);
  try {
    await connect(parts.client, transport, options);
  } catch (error: unknown) {
    // Closing ends the process too, which must not be taken for the cause.
    const endsItself = transport.exit !== undefined || transport.isBroken;
    await transport.close();
    options.signal.throwIfAborted();
    // A refusal may make the SDK close, and the server end, before we get here.
    if (options.configuration.protocol !== 'auto' && (isTooNew(error) || isEraFailure(error))) {
      throw protocolMismatch(options.configuration.protocol, errorMessage(error), error);
    }
    if (transport.failure !== undefined) throw gaveUpDuringStart(transport.failure);
    if (endsItself && transport.exit !== undefined) {
      throw exitedDuringStart(transport.exit, transport.lastWords);
    }
    if (isTimeout(error))
      throw startTimedOut(options.configuration.timeouts.connect, transport.lastWords);
    throw toBridgeError(error, 'handshakeFailed', 'The handshake with the server failed');
  }
  const sessionTransport: SessionTransport = {
    kind: 'stdio',
    pid: transport.pid,
    endReason: () => {
      if (transport.failure !== undefined) return transport.failure;
      return transport.exit === undefined
        ? 'the connection was closed'
        : `its process ended with ${exitText(transport.exit)}`;
    },
    lastWords: () => transport.lastWords,
    close: () => closeQuietly(transport, options.log),
  };
  return new Session({ ...parts, transport: sessionTransport });
}

function isTooNew(error: unknown): boolean {
  return error instanceof ProtocolError && unsupportedVersion.has(error.code);
}
