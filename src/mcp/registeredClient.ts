import { abortOf } from '../base/async.ts';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { prefixed, type Logger } from '../base/log.ts';
import { BridgeError, connectionLost, serverUnavailable, toBridgeError } from '../core/failures.ts';
import type { ClientHostPorts, WantedClient } from '../core/servers/clientHost.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer, ServerTools } from '../core/servers/mcpServers.ts';
import { HealthRecorder } from '../core/servers/serverHealth.ts';
import { callTimeouts } from '../core/tools/callTimeouts.ts';
import type { ServerAnswer, ToolCallRequest } from '../core/tools/toolCall.ts';
import { callClientTool, listClientTools, refusalOf } from './foreignClient.ts';
import { ListRefresher } from './listRefresher.ts';

/** Milliseconds in which any number of change events cause one reading of the tools. */
const debounce = 300;

/** The time from a start to a stop. */
interface Run {
  /** Aborts when the run ends. */
  readonly end: AbortController;
  listTools(): Promise<ServerTools>;
}

/** A client of another extension for as long as it is registered. Starting it means reading its tools. */
export class RegisteredClient {
  readonly #ports: ClientHostPorts;
  readonly #log: Logger;
  readonly #onDidChange: () => void;
  readonly #refresher: ListRefresher<Run, ServerTools>;
  readonly #store = new DisposableStore();
  readonly #health: HealthRecorder;
  #wanted: WantedClient;
  #state: ConnectionState = { kind: 'stopped' };
  #tools: ServerTools | undefined;
  #run: Run | undefined;
  #starting: Promise<void> | undefined;
  #change: ReturnType<typeof setTimeout> | undefined;
  /** Stopped by hand: only starting it by hand ends that, not a call. */
  #isHeld = false;

  constructor(wanted: WantedClient, ports: ClientHostPorts, onDidChange: () => void) {
    this.#wanted = wanted;
    this.#ports = ports;
    this.#onDidChange = onDidChange;
    this.#log = prefixed(ports.log, wanted.configuration.key);
    this.#health = new HealthRecorder((error) => this.#log.error(errorMessage(error)));
    this.#refresher = new ListRefresher<Run, ServerTools>({
      method: 'tools/list',
      name: 'tool list',
      log: this.#log,
      read: (run) => run.listTools(),
      onDidRead: (run, tools) => {
        if (this.#run !== run) return;
        this.#tools = tools;
        this.#setRunning();
      },
      onDidFail: (run, problem) => {
        if (this.#run !== run) return;
        if (this.#state.kind === 'running') {
          this.#tools = { tools: [], isFromCache: false, ...this.#tools, problems: [problem] };
          this.#onDidChange();
        } else this.#fail(new BridgeError('protocol', problem.message));
      },
    });
    this.#subscribe();
  }

  get view(): McpServer {
    const { configuration } = this.#wanted;
    return { configuration, state: this.#state, tools: this.#tools, health: this.#health };
  }

  get wanted(): WantedClient {
    return this.#wanted;
  }

  update(wanted: WantedClient): void {
    this.#wanted = wanted;
    if (!wanted.configuration.enabled && this.#run !== undefined) this.#stop();
  }

  start(): Promise<void> {
    this.#isHeld = false;
    if (this.#run !== undefined) return this.#starting ?? Promise.resolve();
    const refusal = this.#ports.mayLaunch(this.#wanted.configuration);
    if (refusal !== undefined) {
      this.#fail(new BridgeError('notTrusted', refusal));
      return Promise.resolve();
    }
    const { client } = this.#wanted;
    const end = new AbortController();
    const run: Run = {
      end,
      listTools: () => {
        const { timeouts, limits } = this.#wanted.configuration;
        return listClientTools(client, timeouts.connect, end.signal, limits);
      },
    };
    this.#run = run;
    this.#setState({ kind: 'starting', since: Date.now() });
    const starting = this.#refresher.refresh(run).finally(() => {
      if (this.#starting === starting) this.#starting = undefined;
    });
    this.#starting = starting;
    return starting;
  }

  /** Stops on a person's order: calls do not start it again. */
  hold(): void {
    this.#isHeld = true;
    this.#stop();
  }

  restart(): Promise<void> {
    this.#stop();
    return this.start();
  }

  async refresh(): Promise<void> {
    if (this.#run === undefined) await this.start();
    else await this.#refresher.refresh(this.#run);
  }

  async callTool({
    tool,
    arguments: args,
    signal,
    onProgress,
  }: ToolCallRequest): Promise<ServerAnswer> {
    const { configuration, client } = this.#wanted;
    const { key: server } = configuration;
    const timeouts = callTimeouts(configuration.timeouts, tool);
    let outcome: number | 'failed' | 'cancelled' = 'cancelled';
    this.#health.callBegan(Date.now());
    try {
      const { end } = await this.#runForCall(signal);
      const definition = this.#tools?.tools.find(({ name }) => name === tool);
      if (definition === undefined) {
        throw new BridgeError('toolUnknown', `"${server}" has no tool "${tool}" any more.`);
      }
      if (definition.execution !== undefined) {
        throw new BridgeError(
          'protocol',
          `The tool "${tool}" of "${server}" can only be called as a task, which a client that an extension registered does not do for us. The call was not made. Tell the user; trying again will not help.`,
        );
      }
      const judging = refusalOf(client, server, definition, args, timeouts.call);
      const refusal = await Promise.race([judging, abortOf(signal)]);
      if (refusal !== undefined) throw new BridgeError('invalidArguments', refusal);
      if (end.signal.aborted) throw serverUnavailable(server, 'it was stopped.');
      const call = { server, tool, arguments: args, timeouts, onProgress };
      const sentAt = performance.now();
      const result = await callClientTool(client, {
        ...call,
        signal: AbortSignal.any([signal, end.signal]),
      });
      outcome = performance.now() - sentAt;
      return { kind: 'answer', result };
    } catch (error: unknown) {
      signal.throwIfAborted();
      const failure =
        error === stopped
          ? connectionLost(server, tool, 'it was stopped')
          : toBridgeError(error, 'protocol', `The call of "${tool}" on "${server}" failed`);
      this.#log.warn(`tools/call ${tool}: ${failure.message}`);
      outcome = 'failed';
      return { kind: 'failure', code: failure.code, message: failure.message };
    } finally {
      this.#health.callEnded(outcome);
    }
  }

  /** The registration is gone: nothing of it runs on, and the client is not called again. */
  dispose(): void {
    this.#stop();
    try {
      this.#store.dispose();
    } catch (error: unknown) {
      this.#log.warn(`unsubscribing failed: ${errorMessage(error)}`);
    }
  }

  async #runForCall(signal: AbortSignal): Promise<Run> {
    const { key, start } = this.#wanted.configuration;
    if (this.#isHeld) throw serverUnavailable(key, 'the user stopped it in the sidebar.');
    if (this.#run === undefined && start === 'manual') {
      throw serverUnavailable(key, 'it is set to be started by hand and is not running.');
    }
    await Promise.race([this.start(), abortOf(signal)]);
    if (this.#run !== undefined) return this.#run;
    const state = this.#state;
    throw serverUnavailable(key, state.kind === 'error' ? state.message : 'it was stopped.');
  }

  #subscribe(): void {
    const { onToolsChanged } = this.#wanted.client;
    if (onToolsChanged === undefined) return;
    this.#store.add(toDisposable(() => clearTimeout(this.#change)));
    try {
      const subscription = onToolsChanged(() => this.#noteChange());
      this.#store.add(toDisposable(() => unsubscribe(subscription)));
    } catch (error: unknown) {
      this.#log.warn(`changes of its tools are not noticed: ${errorMessage(error)}`);
    }
  }

  #noteChange(): void {
    if (this.#change !== undefined || this.#store.isDisposed) return;
    this.#change = setTimeout(() => {
      this.#change = undefined;
      if (this.#run !== undefined) void this.#refresher.refresh(this.#run);
    }, debounce);
  }

  #stop(): void {
    this.#endRun();
    this.#setState({ kind: 'stopped' });
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = undefined;
    this.#starting = undefined;
    run?.end.abort(stopped);
  }

  #setRunning(): void {
    if (this.#state.kind === 'running') this.#onDidChange();
    else {
      const protocolVersion = 'unknown';
      this.#setState({ kind: 'running', since: Date.now(), protocolVersion, transport: 'client' });
    }
  }

  #fail({ code, message, summary }: BridgeError): void {
    this.#endRun();
    this.#setState({ kind: 'error', since: Date.now(), code, message, summary });
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#onDidChange();
  }
}

/** Reason of the signals of a run that ended. */
const stopped = new Error('stopped');

function unsubscribe(subscription: unknown): void {
  if (typeof subscription === 'function') subscription();
  else if (typeof subscription === 'object' && subscription !== null && 'dispose' in subscription) {
    (subscription as { dispose(): unknown }).dispose();
  }
}
