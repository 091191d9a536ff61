import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';
import { BridgeError, sessionLost } from '../core/failures.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import type { CallTimeouts } from '../core/tools/callTimeouts.ts';
import type { CallProgress } from '../core/tools/toolCall.ts';
import type { CallClock, RunningCalls } from './callClock.ts';
import { callFailure } from './callFailure.ts';
import type { ClientHandlers } from './clientHandlers.ts';
import { HeaderMirror } from './headerMirror.ts';
import { isSessionLost } from './httpFailure.ts';
import { rawResult } from './lenientMessages.ts';
import type { SessionTransport } from './session.ts';
import { createdTask, settleTask, type TaskPorts } from './taskCall.ts';
import { ownMethod } from './tolerantTransport.ts';
import { newTrace, type TraceContext } from './traceContext.ts';

export interface ToolCallOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeouts: CallTimeouts;
  readonly signal: AbortSignal;
  /** Default: a new one. */
  readonly trace?: TraceContext;
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

export interface SessionCallsOptions {
  readonly client: Client;
  readonly calls: RunningCalls;
  readonly handlers: ClientHandlers;
  readonly transport: SessionTransport;
  /** Why the session ended, in words. */
  readonly endReason: () => string;
  /** Reads the tools again, for `HeaderMirror`. */
  readonly listTools: (seconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** The tool calls of one session: plain ones and those that run as a task. */
export class SessionCalls {
  readonly #options: SessionCallsOptions;
  readonly #mirror = new HeaderMirror();
  #needTask: ReadonlySet<string> = new Set();

  constructor(options: SessionCallsOptions) {
    this.#options = options;
  }

  /** Takes a list that was read; what it gives back lacks the tools that the specification forbids to use. */
  learn(listed: ServerTools): ServerTools {
    const needing = listed.tools.filter(({ execution }) => execution !== undefined);
    this.#needTask = new Set(needing.map(({ name }) => name));
    const mirrors = this.#options.transport.kind === 'http' && this.#isModern;
    return mirrors ? this.#mirror.learn(listed) : listed;
  }

  /** See `Session.callTool`. */
  call(options: ToolCallOptions): Promise<unknown> {
    const { server, tool, timeouts, signal, onProgress } = options;
    const { calls, transport, endReason } = this.#options;
    const run = async (clock: CallClock, progressToken: number): Promise<unknown> => {
      const either = AbortSignal.any([signal, clock.signal]);
      const { traceparent } = options.trace ?? newTrace();
      const meta = { traceparent, progressToken };
      try {
        const result = await this.#send(options, meta, either);
        const task = this.#takesTasks(tool) ? createdTask(result, this.#isModern) : undefined;
        if (task === undefined) return result;
        return await settleTask(task, this.#taskPorts(options, clock, traceparent, either));
      } catch (error: unknown) {
        signal.throwIfAborted();
        if (transport.hasSession?.() === true && isSessionLost(error)) {
          throw sessionLost(server, error);
        }
        const { expired } = clock;
        const ended = { reason: endReason(), details: this.#endDetails() };
        throw callFailure(error, { server, tool, timeouts, expired, ended });
      }
    };
    return calls.run(timeouts, run, onProgress);
  }

  /** `tools/call`; as a task where the tool needs one. */
  async #send(
    { server, tool, arguments: args, timeouts }: ToolCallOptions,
    meta: JsonObject,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { client, listTools } = this.#options;
    const isTask = !this.#isModern && this.#takesTasks(tool);
    // The server should keep the result until well after we have given up.
    const task = isTask && { task: { ttl: Math.round(timeouts.total * 1000) + 60_000 } };
    const params = { name: tool, arguments: args, ...task, _meta: meta };
    const options = { signal, timeout: noTimeout };
    const send = (headers: Record<string, string>): Promise<unknown> =>
      client.request({ method: 'tools/call', params }, z.unknown(), { ...options, headers });
    try {
      const readList = (): Promise<unknown> => listTools(timeouts.connect, signal);
      return rawResult(await this.#mirror.call(tool, args, send, readList));
    } catch (error: unknown) {
      if (!this.#needTask.has(tool) || isTask || !(error instanceof ProtocolError)) throw error;
      throw new BridgeError(
        'protocol',
        `The tool "${tool}" of the MCP server "${server}" can only be called as a task, but the server does not offer tasks over protocol ${client.getNegotiatedProtocolVersion() ?? 'unknown'}; it answered: ${error.message.slice(0, 500)}. The call was not made. Tell the user; trying again will not help.`,
        { cause: error },
      );
    }
  }

  /** Whether a call of the tool can become a task. Under 2026-07-28 the server decides that by itself. */
  #takesTasks(tool: string): boolean {
    if (this.#isModern) return true;
    const { tasks } = this.#options.client.getServerCapabilities() ?? {};
    return this.#needTask.has(tool) && tasks?.requests?.tools?.call !== undefined;
  }

  #taskPorts(
    { server, tool, onProgress }: ToolCallOptions,
    clock: CallClock,
    traceparent: string,
    signal: AbortSignal,
  ): TaskPorts {
    const { client, handlers } = this.#options;
    const isModern = this.#isModern;
    return {
      ...{ server, tool, signal, isModern },
      mayCancel: isModern || client.getServerCapabilities()?.tasks?.cancel !== undefined,
      request: async (method, params, requestSignal) => {
        const request = {
          method: ownMethod(method),
          params: { ...params, _meta: { traceparent } },
        };
        const options = { signal: requestSignal, timeout: noTimeout };
        return rawResult(await client.request(request, z.unknown(), options));
      },
      answer: (method, params) => handlers.answer(method, params, signal),
      onStatus: (message) => {
        clock.progress();
        onProgress?.({ message });
      },
    };
  }

  get #isModern(): boolean {
    return this.#options.client.getProtocolEra() === 'modern';
  }

  /** Why the connection ended, with the last words of a local server. */
  #endDetails(): string {
    const { transport, endReason } = this.#options;
    const lastWords = transport.lastWords?.().trim() ?? '';
    const reason = endReason();
    return lastWords === '' ? reason : `${reason}; its last words: ${lastWords.slice(-600)}`;
  }
}

/** Milliseconds: the longest a timer can be set to. Our own clock ends calls. */
const noTimeout = 2 ** 31 - 1;
