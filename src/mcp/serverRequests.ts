import type { Logger } from '../base/log.ts';
import { BridgeError, connectionLost, toBridgeError, type FailureCode } from '../core/failures.ts';
import type { HealthRecorder } from '../core/servers/serverHealth.ts';
import type {
  CompletionRequest,
  GetPromptRequest,
  ReadResourceRequest,
} from '../core/servers/serverRequests.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import { callTimeouts } from '../core/tools/callTimeouts.ts';
import type { ServerAnswer, ToolCallRequest } from '../core/tools/toolCall.ts';
import type { Session } from './session.ts';
import { newTrace, type TraceContext } from './traceContext.ts';

/** Suggestions that come later than this many seconds help nobody. */
const completionSeconds = 5;

/** Failures after which the server may not be there any more. */
const mayBeGone: ReadonlySet<FailureCode> = new Set([
  'addressRefused',
  'connectionLost',
  'unreachable',
]);

interface RequestPorts {
  readonly log: Logger;
  readonly mask: (text: string) => string;
  readonly configuration: () => ServerConfiguration;
  readonly health: HealthRecorder;
  /** The running session; starts one where that is wanted. Throws the reason why there is none. */
  readonly session: (signal: AbortSignal) => Promise<Session>;
  /** A session in place of one that the server no longer knows. */
  readonly renew: (lost: Session, signal: AbortSignal) => Promise<Session>;
  /** A request failed so that the session may be of no use any more. */
  readonly onDoubt: () => void;
  /** A request begins, or has ended. */
  readonly onUse: () => void;
}

/** Requests to one server. All that goes wrong becomes a failure; each rejects only when its signal aborts. */
export class ServerRequests {
  readonly #ports: RequestPorts;
  readonly #ends = new WeakMap<Session, AbortController>();
  #open = 0;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /** Whether a request runs or waits for its server. */
  get areOpen(): boolean {
    return this.#open > 0;
  }

  /** Ends the requests of a session that is about to be closed: each says why, and the server is told. */
  end(session: Session, reason: string): void {
    this.#endOf(session).abort(new SessionEnded(reason));
  }

  async callTool(request: ToolCallRequest): Promise<ServerAnswer> {
    const { tool, arguments: args, signal, onProgress } = request;
    const { health } = this.#ports;
    const { key, timeouts } = this.#ports.configuration();
    let sentAt = 0;
    let outcome: number | 'failed' | 'cancelled' = 'cancelled';
    health.callBegan(Date.now());
    try {
      const answer = await this.#answer(
        { what: `tools/call ${tool}`, sentence: `The call of "${tool}"`, tool, signal },
        (session, how) => {
          sentAt = performance.now();
          const call = { server: key, tool, arguments: args, onProgress };
          return session.callTool({ ...call, timeouts: callTimeouts(timeouts, tool), ...how });
        },
      );
      outcome = answer.kind === 'failure' ? 'failed' : performance.now() - sentAt;
      return answer;
    } finally {
      health.callEnded(outcome);
    }
  }

  readResource({ uri, signal }: ReadResourceRequest): Promise<ServerAnswer> {
    const { key: server, timeouts } = this.#ports.configuration();
    return this.#answer(
      { what: 'resources/read', sentence: 'Reading a resource', signal },
      (session, how) => session.readResource(uri, { server, seconds: timeouts.call, ...how }),
    );
  }

  getPrompt({ prompt, arguments: args, signal }: GetPromptRequest): Promise<ServerAnswer> {
    const { key: server, timeouts } = this.#ports.configuration();
    return this.#answer(
      { what: `prompts/get ${prompt}`, sentence: 'Getting a prompt', signal },
      (session, how) => session.getPrompt(prompt, args, { server, seconds: timeouts.call, ...how }),
    );
  }

  complete(request: CompletionRequest): Promise<ServerAnswer> {
    const { key: server } = this.#ports.configuration();
    const { reference, argument: name, value, known, signal } = request;
    return this.#answer(
      { what: 'completion/complete', sentence: 'Completing an argument', signal },
      (session, how) => {
        const options = { server, seconds: completionSeconds, ...how };
        return session.complete(reference, { name, value }, known, options);
      },
    );
  }

  async #answer(
    { what, sentence, tool, signal }: Asked,
    request: (session: Session, how: Manner) => Promise<unknown>,
  ): Promise<ServerAnswer> {
    const { log, mask, configuration, onUse } = this.#ports;
    const { key } = configuration();
    const trace = newTrace();
    // By it the author of a server finds the request in their own traces.
    const traced = `(trace ${trace.traceId})`;
    const ask = (session: Session): Promise<unknown> =>
      request(session, { trace, signal: AbortSignal.any([signal, this.#endOf(session).signal]) });
    this.#open += 1;
    onUse();
    try {
      const session = await this.#ports.session(signal);
      const startedAt = performance.now();
      const result = await ask(session).catch(async (error: unknown) => {
        // The server has not looked at the request, so it can be made again; but once only.
        if (!(error instanceof BridgeError) || error.code !== 'sessionLost') throw error;
        return ask(await this.#ports.renew(session, signal));
      });
      log.debug(`${what}: ${Math.round(performance.now() - startedAt)} ms ${traced}`);
      return { kind: 'answer', result };
    } catch (error: unknown) {
      signal.throwIfAborted();
      const failure =
        error instanceof SessionEnded
          ? sessionEnded(key, tool, error.message)
          : toBridgeError(error, 'protocol', `${sentence} on "${key}" failed`);
      if (mayBeGone.has(failure.code)) this.#ports.onDoubt();
      log.warn(`${what}: ${failure.message}`);
      log.debug(`${what} failed ${traced}`);
      return { kind: 'failure', code: failure.code, message: mask(failure.message) };
    } finally {
      this.#open -= 1;
      onUse();
    }
  }

  #endOf(session: Session): AbortController {
    const end = this.#ends.get(session) ?? new AbortController();
    this.#ends.set(session, end);
    return end;
  }
}

interface Asked {
  /** For the log. */
  readonly what: string;
  /** For the person and the model: what did not work. */
  readonly sentence: string;
  /** Of `tools/call`, which may have an effect. */
  readonly tool?: string;
  readonly signal: AbortSignal;
}

/** How a session is to make a request. */
interface Manner {
  readonly trace: TraceContext;
  readonly signal: AbortSignal;
}

/** Reason of the signals of requests whose session is ended. */
class SessionEnded extends Error {}

function sessionEnded(server: string, tool: string | undefined, why: string): BridgeError {
  if (tool !== undefined) return connectionLost(server, tool, why);
  const message = `The request to the MCP server "${server}" was given up: ${why}.`;
  return new BridgeError('connectionLost', message);
}
