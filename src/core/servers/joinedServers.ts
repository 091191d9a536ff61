import type { Event } from '../../base/event.ts';
import { toDisposable } from '../../base/disposable.ts';
import type { ServerAnswer, ToolCallRequest } from '../tools/toolCall.ts';
import type { McpServer, McpServers } from './mcpServers.ts';
import type { CompletionRequest, GetPromptRequest, ReadResourceRequest } from './serverRequests.ts';

/** Several sources of servers as one. Ids must differ among them; an order goes to the source that has the id. */
export class JoinedServers implements McpServers {
  readonly #sources: readonly McpServers[];
  readonly onDidChangeServers: Event<void>;

  constructor(sources: readonly McpServers[]) {
    this.#sources = sources;
    this.onDidChangeServers = (listener) => {
      const subscriptions = sources.map((source) => source.onDidChangeServers(listener));
      return toDisposable(() => subscriptions.forEach((subscription) => subscription.dispose()));
    };
  }

  get servers(): readonly McpServer[] {
    return this.#sources.flatMap(({ servers }) => servers);
  }

  async start(id: string): Promise<void> {
    await this.#sourceOf(id)?.start(id);
  }

  async stop(id: string): Promise<void> {
    await this.#sourceOf(id)?.stop(id);
  }

  async restart(id: string): Promise<void> {
    await this.#sourceOf(id)?.restart(id);
  }

  async refresh(id: string): Promise<void> {
    await this.#sourceOf(id)?.refresh(id);
  }

  callTool(request: ToolCallRequest): Promise<ServerAnswer> {
    return this.#answer(request, (source) => source.callTool(request));
  }

  readResource(request: ReadResourceRequest): Promise<ServerAnswer> {
    return this.#answer(request, (source) => source.readResource(request));
  }

  getPrompt(request: GetPromptRequest): Promise<ServerAnswer> {
    return this.#answer(request, (source) => source.getPrompt(request));
  }

  complete(request: CompletionRequest): Promise<ServerAnswer> {
    return this.#answer(request, (source) => source.complete(request));
  }

  async #answer(
    { serverId }: { readonly serverId: string },
    ask: (source: McpServers) => Promise<ServerAnswer>,
  ): Promise<ServerAnswer> {
    const source = this.#sourceOf(serverId);
    if (source !== undefined) return ask(source);
    return {
      kind: 'failure',
      code: 'stopped',
      message: 'The MCP server this was meant for was removed, so it was not asked.',
    };
  }

  #sourceOf(id: string): McpServers | undefined {
    return this.#sources.find(({ servers }) =>
      servers.some(({ configuration }) => configuration.id === id),
    );
  }
}
