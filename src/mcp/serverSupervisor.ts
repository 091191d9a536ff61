import { errorMessage } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { jsonEqual } from '../base/json.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import type { ServerHost, ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import { reconcile } from '../core/servers/reconcile.ts';
import type {
  CompletionRequest,
  GetPromptRequest,
  ReadResourceRequest,
} from '../core/servers/serverRequests.ts';
import type { ServerAnswer, ToolCallRequest } from '../core/tools/toolCall.ts';
import type { ServerRequests } from './serverRequests.ts';
import { ServerRunner, type RunnerContext } from './serverRunner.ts';
import { openWithSdk, type OpenSession } from './sessionOpener.ts';
import { StartGate } from './startGate.ts';
import { WakeTimer } from './wakeTimer.ts';

/** Milliseconds over which the checks after a sleep of the machine are spread. */
const wakeStagger = 3000;

/** All configured servers. Owns their sessions; `dispose` and wait for `stopAll` before the end. */
export class ServerSupervisor implements ServerHost {
  readonly #ports: ServerHostPorts;
  readonly #context: RunnerContext;
  readonly #runners = new Map<string, ServerRunner>();
  readonly #didChange: Emitter<void>;
  readonly onDidChangeServers: ServerHost['onDidChangeServers'];
  /** Ends of runners that were removed or replaced, by id: the next one under the same id waits for it. */
  readonly #endings = new Map<string, Promise<void>>();
  readonly #wakeTimer = new WakeTimer((slept) => this.#woken(slept));
  #order: readonly string[] = [];
  #isDisposed = false;

  constructor(ports: ServerHostPorts, open: OpenSession = openWithSdk, gate = new StartGate()) {
    this.#ports = ports;
    this.#context = { open, gate, onDidChange: () => this.#didChange.fire() };
    this.#didChange = new Emitter((error) => ports.log.error(errorMessage(error)));
    this.onDidChangeServers = this.#didChange.event;
  }

  get servers(): readonly McpServer[] {
    return this.#order.flatMap((id) => this.#runners.get(id)?.view ?? []);
  }

  update(wanted: readonly WantedServer[]): void {
    if (this.#isDisposed) return;
    const current = new Map([...this.#runners].map(([id, runner]) => [id, runner.wanted]));
    const changes = reconcile(
      current,
      wanted,
      (left, right) =>
        left.configuration.protocol === right.configuration.protocol &&
        jsonEqual(left.resolved, right.resolved),
    );
    for (const id of changes.removed) this.#retire(id, 'it was removed from the settings');
    this.#order = wanted.map(({ id }) => id);
    for (const server of changes.kept) this.#runners.get(server.id)?.update(server);
    for (const server of changes.changed) this.#replace(server);
    for (const server of changes.added) this.#add(server);
    this.#didChange.fire();
    for (const server of changes.kept) {
      const runner = this.#runners.get(server.id);
      const before = current.get(server.id);
      if (runner === undefined || before === undefined || !isAutomatic(server)) continue;
      // What was stopped by hand stays stopped.
      if (!isAutomatic(before) || wasRefused(runner.view.state)) void runner.start('settings');
    }
  }

  async start(id: string): Promise<void> {
    await this.#runners.get(id)?.start('ordered');
  }

  async stop(id: string): Promise<void> {
    await this.#runners.get(id)?.hold();
  }

  async restart(id: string): Promise<void> {
    await this.#runners.get(id)?.restart();
  }

  async signIn(id: string, signal: AbortSignal): Promise<void> {
    await this.#runners.get(id)?.access.signIn(signal);
  }

  async signOut(id: string): Promise<void> {
    await this.#runners.get(id)?.access.signOut();
  }

  async refresh(id: string): Promise<void> {
    await this.#runners.get(id)?.refresh();
  }

  callTool(request: ToolCallRequest): Promise<ServerAnswer> {
    return this.#request(request, (requests) => requests.callTool(request));
  }

  readResource(request: ReadResourceRequest): Promise<ServerAnswer> {
    return this.#request(request, (requests) => requests.readResource(request));
  }

  getPrompt(request: GetPromptRequest): Promise<ServerAnswer> {
    return this.#request(request, (requests) => requests.getPrompt(request));
  }

  complete(request: CompletionRequest): Promise<ServerAnswer> {
    return this.#request(request, (requests) => requests.complete(request));
  }

  async stopAll(): Promise<void> {
    const stopped = [...this.#runners.values()].map((runner) => runner.stop(closing));
    await Promise.all([...stopped, ...this.#endings.values()]);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#wakeTimer.dispose();
    this.#didChange.dispose();
    for (const runner of this.#runners.values()) void runner.retire(closing);
  }

  async #request(
    { serverId }: { readonly serverId: string },
    make: (requests: ServerRequests) => Promise<ServerAnswer>,
  ): Promise<ServerAnswer> {
    const runner = this.#runners.get(serverId);
    if (runner !== undefined && !this.#isDisposed) return make(runner.requests);
    const message = 'The MCP server was removed from the settings.';
    return { kind: 'failure', code: 'stopped', message };
  }

  /** Connections may be dead, and nobody said so. Local servers slept too. */
  #woken(slept: number): void {
    this.#ports.log.info(`no time for ${Math.round(slept / 1000)} s: remote servers are checked`);
    for (const runner of this.#runners.values()) {
      // Not all at once: there may be many, and the network is only coming back.
      setTimeout(() => void runner.verify(), Math.random() * wakeStagger).unref();
    }
  }

  #add(server: WantedServer): void {
    const runner = new ServerRunner(server, this.#ports, this.#context);
    const ending = this.#endings.get(server.id);
    if (ending !== undefined) runner.waitFor(ending);
    this.#runners.set(server.id, runner);
    if (isAutomatic(server)) void runner.start('settings');
  }

  /** A runner is bound to one launch: another launch gets another runner, after the old one ended. */
  #replace(server: WantedServer): void {
    this.#retire(server.id, 'its settings were changed');
    this.#add(server);
  }

  #retire(id: string, reason: string): void {
    const runner = this.#runners.get(id);
    if (runner === undefined) return;
    this.#runners.delete(id);
    const ending = runner.retire(reason).finally(() => {
      if (this.#endings.get(id) === ending) this.#endings.delete(id);
    });
    this.#endings.set(id, ending);
  }
}

/** Reason for requests that run when the window is closed. */
const closing = 'the editor is closing';

function isAutomatic({ configuration: { enabled, start } }: WantedServer): boolean {
  return enabled && start === 'auto';
}

/** The reason why a server was not launched or connected to may be gone without a change of its settings. */
function wasRefused(state: ConnectionState): boolean {
  return state.kind === 'error' && (state.code === 'notTrusted' || state.code === 'addressRefused');
}
