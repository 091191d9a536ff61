import { errorMessage } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { ClientHost, ClientHostPorts, WantedClient } from '../core/servers/clientHost.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import type { ServerAnswer, ToolCallRequest } from '../core/tools/toolCall.ts';
import { RegisteredClient } from './registeredClient.ts';

/** The clients that other extensions registered, as servers. Never closes a client: its extension does. */
export class RegisteredClients implements ClientHost {
  readonly #ports: ClientHostPorts;
  readonly #clients = new Map<string, RegisteredClient>();
  readonly #didChange: Emitter<void>;
  readonly onDidChangeServers: ClientHost['onDidChangeServers'];

  constructor(ports: ClientHostPorts) {
    this.#ports = ports;
    this.#didChange = new Emitter((error) => ports.log.error(errorMessage(error)));
    this.onDidChangeServers = this.#didChange.event;
  }

  get servers(): readonly McpServer[] {
    return [...this.#clients.values()].map(({ view }) => view);
  }

  update(wanted: readonly WantedClient[]): void {
    const before = new Map(this.#clients);
    this.#clients.clear();
    const toStart: RegisteredClient[] = [];
    for (const one of wanted) {
      const { id } = one.configuration;
      const existing = before.get(id);
      const isKept = existing?.wanted.client === one.client;
      const wasAutomatic = isKept && isAutomatic(existing.wanted);
      const client = isKept
        ? existing
        : new RegisteredClient(one, this.#ports, () => this.#didChange.fire());
      if (isKept) {
        before.delete(id);
        client.update(one);
      }
      this.#clients.set(id, client);
      // What was stopped by hand stays stopped.
      if (isAutomatic(one) && !wasAutomatic) toStart.push(client);
    }
    for (const client of before.values()) client.dispose();
    this.#didChange.fire();
    for (const client of toStart) void client.start();
  }

  async start(id: string): Promise<void> {
    await this.#clients.get(id)?.start();
  }

  async stop(id: string): Promise<void> {
    this.#clients.get(id)?.hold();
  }

  async restart(id: string): Promise<void> {
    await this.#clients.get(id)?.restart();
  }

  async refresh(id: string): Promise<void> {
    await this.#clients.get(id)?.refresh();
  }

  async callTool(request: ToolCallRequest): Promise<ServerAnswer> {
    const client = this.#clients.get(request.serverId);
    if (client !== undefined) return client.callTool(request);
    return {
      kind: 'failure',
      code: 'stopped',
      message: `The extension that provided the tool "${request.tool}" has taken it away. It was not called.`,
    };
  }

  readResource(): Promise<ServerAnswer> {
    return notOffered('resources');
  }

  getPrompt(): Promise<ServerAnswer> {
    return notOffered('prompts');
  }

  complete(): Promise<ServerAnswer> {
    return notOffered('completions');
  }

  dispose(): void {
    this.#didChange.dispose();
    for (const client of this.#clients.values()) client.dispose();
    this.#clients.clear();
  }
}

/** A client is registered for its tools only. */
async function notOffered(what: string): Promise<ServerAnswer> {
  return {
    kind: 'failure',
    code: 'notAllowed',
    message: `Clients that an extension registered offer tools only, no ${what}.`,
  };
}

function isAutomatic({ configuration: { enabled, start } }: WantedClient): boolean {
  return enabled && start === 'auto';
}
