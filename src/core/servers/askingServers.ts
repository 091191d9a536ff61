import type { Event } from '../../base/event.ts';
import type { ServerAnswer, ToolCallRequest } from '../tools/toolCall.ts';
import type { McpServer, McpServers } from './mcpServers.ts';
import type { CompletionRequest, GetPromptRequest, ReadResourceRequest } from './serverRequests.ts';

/** Gets what a server waits for before it can start. `signal` is that of the call that needs it; without one a person wants it to start. */
export type Prepare = (id: string, signal?: AbortSignal) => Promise<void>;

/** Servers that may lack something only a person can give: asks for it before what starts a server goes on to them. */
export class AskingServers implements McpServers {
  readonly #servers: McpServers;
  readonly #prepare: Prepare;
  readonly onDidChangeServers: Event<void>;

  constructor(servers: McpServers, prepare: Prepare) {
    this.#servers = servers;
    this.#prepare = prepare;
    this.onDidChangeServers = servers.onDidChangeServers;
  }

  get servers(): readonly McpServer[] {
    return this.#servers.servers;
  }

  async start(id: string): Promise<void> {
    await this.#prepare(id);
    await this.#servers.start(id);
  }

  stop(id: string): Promise<void> {
    return this.#servers.stop(id);
  }

  async restart(id: string): Promise<void> {
    await this.#prepare(id);
    await this.#servers.restart(id);
  }

  refresh(id: string): Promise<void> {
    return this.#servers.refresh(id);
  }

  async callTool(request: ToolCallRequest): Promise<ServerAnswer> {
    await this.#prepare(request.serverId, request.signal);
    return this.#servers.callTool(request);
  }

  async readResource(request: ReadResourceRequest): Promise<ServerAnswer> {
    await this.#prepare(request.serverId, request.signal);
    return this.#servers.readResource(request);
  }

  async getPrompt(request: GetPromptRequest): Promise<ServerAnswer> {
    await this.#prepare(request.serverId, request.signal);
    return this.#servers.getPrompt(request);
  }

  complete(request: CompletionRequest): Promise<ServerAnswer> {
    return this.#servers.complete(request);
  }
}
