import { errorMessage } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { jsonEqual } from '../base/json.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import type { ServerHost, ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import { reconcile } from '../core/servers/reconcile.ts';
import type { ToolCallOutcome, ToolCallRequest } from '../core/tools/toolCall.ts';
import { ServerRunner } from './serverRunner.ts';

/** All configured servers. Owns their sessions; `dispose` and wait for `stopAll` before the end. */
export class ServerSupervisor implements ServerHost {
  readonly #ports: ServerHostPorts;
  readonly #runners = new Map<string, ServerRunner>();
  readonly #didChange: Emitter<void>;
  readonly onDidChangeServers: ServerHost['onDidChangeServers'];
  #order: readonly string[] = [];
  #isDisposed = false;

  constructor(ports: ServerHostPorts) {
    this.#ports = ports;
    this.#didChange = new Emitter((error) => ports.log.error(errorMessage(error)));
    this.onDidChangeServers = this.#didChange.event;
  }

  get servers(): readonly McpServer[] {
    return this.#order.flatMap((id) => this.#runners.get(id)?.view ?? []);
  }

  update(wanted: readonly WantedServer[]): void {
    if (this.#isDisposed) return;
    const current = new Map([...this.#runners].map(([id, runner]) => [id, runner.wanted]));
    const changes = reconcile(current, wanted, (left, right) =>
      jsonEqual(left.resolved, right.resolved),
    );
    for (const id of changes.removed) {
      const runner = this.#runners.get(id);
      this.#runners.delete(id);
      void runner?.stop();
    }
    this.#order = wanted.map(({ id }) => id);
    for (const server of changes.kept) this.#runners.get(server.id)?.update(server);
    for (const server of changes.changed) this.#replace(server);
    for (const server of changes.added) this.#add(server);
    this.#didChange.fire();
    for (const server of changes.kept) {
      const runner = this.#runners.get(server.id);
      if (runner?.view.state.kind === 'stopped') this.#autoStart(server, runner);
    }
  }

  async start(id: string): Promise<void> {
    await this.#runners.get(id)?.start();
  }

  async stop(id: string): Promise<void> {
    await this.#runners.get(id)?.stop();
  }

  async restart(id: string): Promise<void> {
    const runner = this.#runners.get(id);
    await runner?.stop();
    await runner?.start();
  }

  async refresh(id: string): Promise<void> {
    await this.#runners.get(id)?.refresh();
  }

  async callTool(request: ToolCallRequest): Promise<ToolCallOutcome> {
    const runner = this.#runners.get(request.serverId);
    if (runner !== undefined && !this.#isDisposed) return runner.callTool(request);
    return {
      kind: 'failure',
      code: 'stopped',
      message: 'The MCP server of this tool was removed from the settings.',
    };
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.stop()));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#didChange.dispose();
    void this.stopAll();
  }

  #add(server: WantedServer): void {
    const runner = new ServerRunner(server, this.#ports, () => this.#didChange.fire());
    this.#runners.set(server.id, runner);
    this.#autoStart(server, runner);
  }

  /** A runner is bound to one launch: another launch gets another runner, after the old one ended. */
  #replace(server: WantedServer): void {
    const previous = this.#runners.get(server.id);
    const runner = new ServerRunner(server, this.#ports, () => this.#didChange.fire());
    this.#runners.set(server.id, runner);
    const stopped = previous?.stop() ?? Promise.resolve();
    runner.waitFor(stopped);
    this.#autoStart(server, runner);
  }

  #autoStart({ configuration }: WantedServer, runner: ServerRunner): void {
    if (configuration.enabled && configuration.start === 'auto') void runner.start();
  }
}
