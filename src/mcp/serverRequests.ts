import type { Logger } from '../base/log.ts';
import { BridgeError, toBridgeError, type FailureCode } from '../core/failures.ts';
import type {
  CompletionRequest,
  GetPromptRequest,
  ReadResourceRequest,
} from '../core/servers/serverRequests.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { ServerAnswer, ToolCallRequest } from '../core/tools/toolCall.ts';
import type { Session } from './session.ts';

/** Suggestions that come later than this many seconds help nobody. */
const completionSeconds = 5;

/** Failures after which the server may not be there any more. */
const mayBeGone: ReadonlySet<FailureCode> = new Set(['unreachable', 'connectionLost']);

interface RequestPorts {
  readonly log: Logger;
  readonly mask: (text: string) => string;
  readonly configuration: () => ServerConfiguration;
  /** The running session; starts one where that is wanted. Throws the reason why there is none. */
  readonly session: (signal: AbortSignal) => Promise<Session>;
  /** A session in place of one that the server no longer knows. */
  readonly renew: (lost: Session, signal: AbortSignal) => Promise<Session>;
  /** A request failed so that the session may be of no use any more. */
  readonly onDoubt: () => void;
}

/** Requests to one server. All that goes wrong becomes a failure; each rejects only when its signal aborts. */
export class ServerRequests {
  readonly #ports: RequestPorts;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  callTool({ tool, arguments: args, signal }: ToolCallRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#ports.configuration();
    return this.#answer(`tools/call ${tool}`, `The call of "${tool}"`, signal, (session) =>
      session.callTool({ server: key, tool, arguments: args, timeouts, signal }),
    );
  }

  readResource({ uri, signal }: ReadResourceRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#ports.configuration();
    const options = { server: key, seconds: timeouts.call, signal };
    return this.#answer('resources/read', 'Reading a resource', signal, (session) =>
      session.readResource(uri, options),
    );
  }

  getPrompt({ prompt, arguments: args, signal }: GetPromptRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#ports.configuration();
    const options = { server: key, seconds: timeouts.call, signal };
    return this.#answer(`prompts/get ${prompt}`, 'Getting a prompt', signal, (session) =>
      session.getPrompt(prompt, args, options),
    );
  }

  complete(request: CompletionRequest): Promise<ServerAnswer> {
    const { key } = this.#ports.configuration();
    const { reference, argument, value, known, signal } = request;
    const options = { server: key, seconds: completionSeconds, signal };
    return this.#answer('completion/complete', 'Completing an argument', signal, (session) =>
      session.complete(reference, { name: argument, value }, known, options),
    );
  }

  async #answer(
    what: string,
    sentence: string,
    signal: AbortSignal,
    request: (session: Session) => Promise<unknown>,
  ): Promise<ServerAnswer> {
    const { log, mask, configuration } = this.#ports;
    const { key } = configuration();
    try {
      const session = await this.#ports.session(signal);
      const startedAt = performance.now();
      const result = await request(session).catch(async (error: unknown) => {
        // The server has not looked at the request, so it can be made again; but once only.
        if (!(error instanceof BridgeError) || error.code !== 'sessionLost') throw error;
        return request(await this.#ports.renew(session, signal));
      });
      log.debug(`${what}: ${Math.round(performance.now() - startedAt)} ms`);
      return { kind: 'answer', result };
    } catch (error: unknown) {
      signal.throwIfAborted();
      const failure = toBridgeError(error, 'protocol', `${sentence} on "${key}" failed`);
      if (mayBeGone.has(failure.code)) this.#ports.onDoubt();
      log.warn(`${what}: ${failure.message}`);
      return { kind: 'failure', code: failure.code, message: mask(failure.message) };
    }
  }
}
