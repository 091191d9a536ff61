import type { Event } from '../../base/event.ts';
import type { Problem } from '../problem.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { ServerAnswer, ToolCallRequest } from '../tools/toolCall.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';
import type { ConnectionState } from './connectionState.ts';

/** The tools a server is known to have. */
export interface ServerTools {
  readonly tools: readonly ToolDefinition[];
  /** Tools that could not be read, limits that were hit. */
  readonly problems: readonly Problem[];
  /** Known from an earlier session; the server has not confirmed them yet. */
  readonly isFromCache: boolean;
}

/** Read-only view of one configured server. */
export interface McpServer {
  readonly configuration: ServerConfiguration;
  readonly state: ConnectionState;
  /** `undefined` until the server has been asked once. */
  readonly tools: ServerTools | undefined;
}

/** Port: the configured servers and their sessions. Implemented by `mcp/`, used by `editor/`. */
export interface McpServers {
  /** Snapshot in settings order; a new one after each `onDidChangeServers`. */
  readonly servers: readonly McpServer[];
  readonly onDidChangeServers: Event<void>;
  /** Starts the server if it is not running. Resolves when it is running or in error; never rejects. */
  start(id: string): Promise<void>;
  /** Stops the server and its process tree until it is started by hand. Resolves when it is gone. */
  stop(id: string): Promise<void>;
  restart(id: string): Promise<void>;
  /** Asks a running server for its tools again. */
  refresh(id: string): Promise<void>;
  /**
   * Calls a tool, starting its server first where needed. A result with `isError` is an answer; everything
   * that kept the call from being answered is a `failure`. Rejects only when the signal aborts.
   */
  callTool(request: ToolCallRequest): Promise<ServerAnswer>;
}
