import type { Event } from '../../base/event.ts';
import type { Problem } from '../problem.ts';
import type { ServerPrompts } from '../prompts/promptDefinition.ts';
import type { ServerResources } from '../resources/resourceDefinition.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { ServerAnswer, ToolCallRequest } from '../tools/toolCall.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';
import type { ConnectionState } from './connectionState.ts';
import type { HealthSource } from './serverHealth.ts';
import type { CompletionRequest, GetPromptRequest, ReadResourceRequest } from './serverRequests.ts';

/** The tools a server is known to have. */
export interface ServerTools {
  readonly tools: readonly ToolDefinition[];
  /** Tools that could not be read, limits that were hit. */
  readonly problems: readonly Problem[];
  /** Known from an earlier session; the server has not confirmed them yet. */
  readonly isFromCache: boolean;
}

/** What a server has besides tools; a member is missing while nothing is known, and when there is nothing. */
export interface ServerLists {
  readonly resources?: ServerResources;
  readonly prompts?: ServerPrompts;
}

/** Read-only view of one configured server. */
export interface McpServer extends ServerLists {
  readonly configuration: ServerConfiguration;
  readonly state: ConnectionState;
  /** There are tokens of a sign-in to it. */
  readonly isSignedIn?: boolean;
  /** `undefined` until the server has been asked once. */
  readonly tools: ServerTools | undefined;
  /** Not part of the snapshot: changes without `onDidChangeServers`. */
  readonly health?: HealthSource;
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
  /** Reads a resource; as `callTool` does, and so the next two. The answer is a `ReadResourceResult`, unchecked. */
  readResource(request: ReadResourceRequest): Promise<ServerAnswer>;
  /** The answer is a `GetPromptResult`, unchecked. */
  getPrompt(request: GetPromptRequest): Promise<ServerAnswer>;
  /** The answer is a `CompleteResult`, unchecked; an empty one when the server suggests nothing. */
  complete(request: CompletionRequest): Promise<ServerAnswer>;
}
