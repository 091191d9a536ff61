import { ProtocolError, SdkError, SdkErrorCode, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import {
  BridgeError,
  callTimedOut,
  connectionLost,
  outcomeUnknown,
  serverUnavailable,
  toBridgeError,
} from '../core/failures.ts';
import { errorAnswer } from '../core/results/errorAnswer.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import type { Timeouts } from '../core/settings/serverConfiguration.ts';
import { httpFailure, mayHaveArrived } from './httpFailure.ts';
import { listTools, toolsPage } from './listTools.ts';

/** What a transport knows that the SDK client does not. */
export interface SessionTransport {
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly pid?: number | undefined;
  /** Why the connection ended, in words. */
  endReason(): string;
  /** Closes the connection; of a local server, stops the process tree. Never rejects. */
  close(): Promise<void>;
}

export interface ToolCallOptions {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
}

/** A session that has been initialised; there is none before the handshake succeeded. */
export class Session implements Disposable {
  readonly transport: SessionTransport;
  readonly onDidClose: Event<void>;
  readonly onDidChangeTools: Event<void>;
  readonly #client: Client;
  readonly #didClose: Emitter<void>;

  constructor(
    client: Client,
    transport: SessionTransport,
    onDidChangeTools: Event<void>,
    log: Logger,
  ) {
    this.#client = client;
    this.transport = transport;
    this.onDidChangeTools = onDidChangeTools;
    this.#didClose = new Emitter<void>((error) => log.error(String(error)));
    this.onDidClose = this.#didClose.event;
    client.onclose = () => this.#didClose.fire();
  }

  get protocolVersion(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? 'unknown';
  }

  get serverInfo(): { name: string; version: string } | undefined {
    const info = this.#client.getServerVersion();
    return info === undefined ? undefined : { name: info.name, version: info.version };
  }

  /** All pages of `tools/list`; a server that has no such method has no tools. */
  async listTools(timeoutSeconds: number, signal: AbortSignal): Promise<ServerTools> {
    return listTools(async (cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      try {
        return await this.#client.request({ method: 'tools/list', params }, toolsPage, {
          timeout: timeoutSeconds * 1000,
          signal,
        });
      } catch (error: unknown) {
        if (error instanceof ProtocolError && error.code === methodNotFound) return { tools: [] };
        throw error;
      }
    });
  }

  /**
   * `tools/call`. Gives the raw result. Cancel and timeout tell the server (`notifications/cancelled`).
   * Throws a `BridgeError` with the sentence for the model, or the reason of the signal.
   */
  async callTool({ server, tool, arguments: args, timeouts, signal }: ToolCallOptions) {
    const total = new AbortController();
    const timer = setTimeout(() => total.abort(), timeouts.total * 1000);
    try {
      return await this.#client.request(
        { method: 'tools/call', params: { name: tool, arguments: args } },
        z.unknown(),
        {
          signal: AbortSignal.any([signal, total.signal]),
          timeout: timeouts.call * 1000,
          // The token for progress is only sent when somebody listens.
          onprogress: () => undefined,
          resetTimeoutOnProgress: true,
          // A question of the server is a result like others; what to say of it is decided later.
          allowInputRequired: true,
        },
      );
    } catch (error: unknown) {
      signal.throwIfAborted();
      if (total.signal.aborted) {
        throw callTimedOut(server, tool, timeouts.total, 'timeouts.total');
      }
      throw this.#callFailure(error, server, tool, timeouts);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the session and resolves when its process tree or connection is gone. */
  async close(): Promise<void> {
    this.dispose();
    await this.transport.close();
  }

  /** Nobody is told of the end any more. */
  dispose(): void {
    this.#didClose.dispose();
  }

  #callFailure(error: unknown, server: string, tool: string, timeouts: Timeouts): BridgeError {
    if (error instanceof BridgeError) return error;
    if (error instanceof ProtocolError) {
      return errorAnswer(server, tool, error);
    }
    if (error instanceof SdkError) {
      if (error.code === SdkErrorCode.RequestTimeout) {
        return callTimedOut(server, tool, timeouts.call, 'timeouts.call');
      }
      if (error.code === SdkErrorCode.NotConnected) {
        return serverUnavailable(server, `${this.transport.endReason()}.`);
      }
      if (error.code === SdkErrorCode.ConnectionClosed) {
        return connectionLost(server, tool, this.transport.endReason());
      }
    }
    const beginning = `The call of "${tool}" on the MCP server "${server}" failed`;
    const failure = httpFailure(error, beginning);
    if (failure === undefined) return outcomeUnknown(toBridgeError(error, 'protocol', beginning));
    return mayHaveArrived(error) ? outcomeUnknown(failure) : failure;
  }
}

/** JSON-RPC error code "Method not found". */
const methodNotFound = -32601;
