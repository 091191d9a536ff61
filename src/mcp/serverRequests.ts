import type { Logger } from '../base/log.ts';
import { BridgeError, toBridgeError } from '../core/failures.ts';
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

interface RequestPorts {
  readonly log: Logger;
  readonly mask: (text: string) => string;
  readonly configuration: () => ServerConfiguration;
  /** The running session; starts one where that is wanted. Throws the reason why there is none. */
  readonly session: (signal: AbortSignal) => Promise<Session>;
  /** A session in place of one that the server no longer knows. */
  readonly renew: (lost: Session, signal: AbortSignal) => Promise<Session>;
}

/** Requests to one server. All that goes wrong becomes a failure; each rejects only when its signal aborts. */
export class ServerRequests {
  readonly #ports: RequestPorts;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  callTool({ tool, arguments: args, signal, onProgress }: ToolCallRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#ports.configuration();
    const call = { server: key, tool, arguments: args, signal, onProgress };
    return this.#answer(`tools/call ${tool}`, `The call of "${tool}"`, signal, (session, trace) =>
      session.callTool({ ...call, timeouts: callTimeouts(timeouts, tool), trace }),
    );
  }

  readResource({ uri, signal }: ReadResourceRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#ports.configuration();
    const options = { server: key, seconds: timeouts.call, signal };
    return this.#answer('resources/read', 'Reading a resource', signal, (session, trace) =>
      session.readResource(uri, { ...options, trace }),
    );
  }

  getPrompt({ prompt, arguments: args, signal }: GetPromptRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#ports.configuration();
    const options = { server: key, seconds: timeouts.call, signal };
    return this.#answer(`prompts/get ${prompt}`, 'Getting a prompt', signal, (session, trace) =>
      session.getPrompt(prompt, args, { ...options, trace }),
    );
  }

  complete(request: CompletionRequest): Promise<ServerAnswer> {
    const { key } = this.#ports.configuration();
    const { reference, argument, value, known, signal } = request;
    const options = { server: key, seconds: completionSeconds, signal };
    return this.#answer('completion/complete', 'Completing an argument', signal, (session, trace) =>
      session.complete(reference, { name: argument, value }, known, { ...options, trace }),
    );
  }

  async #answer(
    what: string,
    sentence: string,
    signal: AbortSignal,
    request: (session: Session, trace: TraceContext) => Promise<unknown>,
  ): Promise<ServerAnswer> {
    const { log, mask, configuration } = this.#ports;
    const { key } = configuration();
    const trace = newTrace();
    // By it the author of a server finds the request in their own traces.
    const traced = `(trace ${trace.traceId})`;
    try {
      const session = await this.#ports.session(signal);
      const startedAt = performance.now();
      const result = await request(session, trace).catch(async (error: unknown) => {
        // The server has not looked at the request, so it can be made again; but once only.
        if (!(error instanceof BridgeError) || error.code !== 'sessionLost') throw error;
        return request(await this.#ports.renew(session, signal), trace);
      });
      log.debug(`${what}: ${Math.round(performance.now() - startedAt)} ms ${traced}`);
      return { kind: 'answer', result };
    } catch (error: unknown) {
      signal.throwIfAborted();
      const failure = toBridgeError(error, 'protocol', `${sentence} on "${key}" failed`);
      log.warn(`${what}: ${failure.message}`);
      log.debug(`${what} failed ${traced}`);
      return { kind: 'failure', code: failure.code, message: mask(failure.message) };
    }
  }
}
