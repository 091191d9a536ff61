import { withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import { jsonEqual } from '../base/json.ts';
import { prefixed, rewritten, type Logger } from '../base/log.ts';
import { BridgeError, serverUnavailable, toBridgeError } from '../core/failures.ts';
import { redactor } from '../core/redact.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer, ServerTools } from '../core/servers/mcpServers.ts';
import type { ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import type { ServerAnswer, ToolCallRequest } from '../core/tools/toolCall.ts';
import { readTools } from '../core/tools/toolDefinition.ts';
import type { Session } from './session.ts';
import { ToolListRefresher } from './toolListRefresher.ts';

/** A call does not start a server again that failed less than this many milliseconds ago. */
const retryDelay = 5000;

/** One configured server for as long as it is configured: starts and stops its sessions, one at a time. */
export class ServerRunner {
  readonly #ports: ServerHostPorts;
  readonly #log: Logger;
  readonly #mask: (text: string) => string;
  readonly #onDidChange: () => void;
  readonly #refresher: ToolListRefresher;
  #wanted: WantedServer;
  #state: ConnectionState = { kind: 'stopped' };
  #tools: ServerTools | undefined;
  #session: Session | undefined;
  #starting: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;
  /** The end of the previous session or start: a new process never runs beside the old one. */
  #closing: Promise<void> = Promise.resolve();
  #isRetired = false;
  /** Stopped by hand: only starting it by hand ends that, not a call. */
  #isHeld = false;

  constructor(wanted: WantedServer, ports: ServerHostPorts, onDidChange: () => void) {
    this.#wanted = wanted;
    this.#ports = ports;
    this.#onDidChange = onDidChange;
    const { configuration } = wanted;
    this.#mask = 'launch' in wanted.resolved ? redactor(wanted.resolved.launch) : (text) => text;
    this.#log = rewritten(prefixed(ports.log, configuration.key), this.#mask);
    this.#tools = this.#cachedTools();
    this.#refresher = new ToolListRefresher(this.#log, {
      configuration: () => this.#wanted.configuration,
      onDidRead: (session, tools) => {
        if (this.#session !== session) return;
        this.#tools = tools;
        ports.toolCache.write(this.#wanted.configuration, tools.tools);
        this.#onDidChange();
      },
      onDidFail: (session, problem) => {
        if (this.#session !== session) return;
        this.#tools = { tools: [], isFromCache: false, ...this.#tools, problems: [problem] };
        this.#onDidChange();
      },
    });
  }

  get view(): McpServer {
    return { configuration: this.#wanted.configuration, state: this.#state, tools: this.#tools };
  }

  get wanted(): WantedServer {
    return this.#wanted;
  }

  /** The first start waits for this, the end of the session that ran under the same id. */
  waitFor(previous: Promise<void>): void {
    this.#closing = previous;
  }

  /** Takes over settings that do not touch the running session. */
  update(wanted: WantedServer): void {
    const before = this.#wanted.configuration;
    this.#wanted = wanted;
    const { enabled, limits } = wanted.configuration;
    if (before.enabled && !enabled) void this.stop();
    if (jsonEqual(before.limits, limits)) return;
    if (this.#session !== undefined) void this.refresh();
    else this.#tools = this.#cachedTools() ?? this.#tools;
  }

  #cachedTools(): ServerTools | undefined {
    const { configuration } = this.#wanted;
    const cached = this.#ports.toolCache.read(configuration);
    if (!Array.isArray(cached)) return undefined;
    const { limits } = configuration;
    return { ...readTools(cached.slice(0, limits.tools), limits), isFromCache: true };
  }

  start(): Promise<void> {
    this.#isHeld = false;
    if (this.#session !== undefined || this.#isRetired) return Promise.resolve();
    if (this.#starting === undefined) {
      const abort = new AbortController();
      const done = this.#start(abort.signal).finally(() => {
        if (this.#starting?.abort === abort) this.#starting = undefined;
      });
      this.#starting = { done, abort };
    }
    return this.#starting.done;
  }

  async stop(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    starting?.abort.abort();
    this.#setState({ kind: 'stopped' });
    this.#release();
    this.#closing = Promise.all([this.#closing, starting?.done]).then(() => undefined);
    await this.#closing;
  }

  /** Stops on a person's order: calls do not start the server again. */
  hold(): Promise<void> {
    this.#isHeld = true;
    return this.stop();
  }

  /** The new start is queued at once, so that a later order to stop counts. */
  restart(): Promise<void> {
    void this.stop();
    return this.start();
  }

  /** Stops for good: the entry is gone, or another runner has taken over. */
  retire(): Promise<void> {
    this.#isRetired = true;
    return this.stop();
  }

  async refresh(): Promise<void> {
    if (this.#session === undefined) await this.start();
    else await this.#refresher.refresh(this.#session);
  }

  async callTool({ tool, arguments: args, signal }: ToolCallRequest): Promise<ServerAnswer> {
    const { key, timeouts } = this.#wanted.configuration;
    try {
      const session = await this.#sessionForCall(signal);
      const startedAt = performance.now();
      const result = await session.callTool({
        server: key,
        tool,
        arguments: args,
        timeouts,
        signal,
      });
      this.#log.debug(`tools/call ${tool}: ${Math.round(performance.now() - startedAt)} ms`);
      return { kind: 'answer', result };
    } catch (error: unknown) {
      signal.throwIfAborted();
      const failure = toBridgeError(error, 'protocol', `The call of "${tool}" on "${key}" failed`);
      this.#log.warn(`tools/call ${tool}: ${failure.message}`);
      return { kind: 'failure', code: failure.code, message: this.#mask(failure.message) };
    }
  }

  async #sessionForCall(signal: AbortSignal): Promise<Session> {
    const { key, start } = this.#wanted.configuration;
    if (this.#session === undefined && this.#starting === undefined) {
      const state = this.#state;
      if (state.kind === 'error' && Date.now() - state.since < retryDelay) {
        throw serverUnavailable(key, state.message);
      }
      if (this.#isHeld) throw serverUnavailable(key, 'the user stopped it in the sidebar.');
      if (start === 'manual') {
        throw serverUnavailable(key, 'it is set to be started by hand and is not running.');
      }
    }
    const starting = this.start();
    await Promise.race([starting, abortOf(signal)]);
    if (this.#session !== undefined) return this.#session;
    const state = this.#state;
    throw serverUnavailable(key, state.kind === 'error' ? state.message : 'it was stopped.');
  }

  async #start(signal: AbortSignal): Promise<void> {
    await this.#closing;
    if (signal.aborted) return;
    const { configuration, resolved } = this.#wanted;
    const { connect } = configuration.timeouts;
    try {
      const refusal = this.#ports.mayLaunch(configuration);
      if (refusal !== undefined) throw new BridgeError('notTrusted', refusal);
      if ('problems' in resolved) {
        const message = resolved.problems.map((problem) => problem.message).join(' ');
        throw new BridgeError('invalidSettings', message, {
          summary: 'its settings need a correction',
        });
      }
      this.#log.info('starting');
      this.#setState({ kind: 'starting', since: Date.now() });
      // The SDK is loaded with the first server that starts.
      const { openSession } = await import('./openSession.ts');
      if (signal.aborted) return;
      const session = await openSession({
        launch: resolved.launch,
        connectSeconds: connect,
        version: this.#ports.version,
        log: this.#log,
        signal,
      });
      if (signal.aborted) return await session.close();
      this.#adopt(session);
      await this.#refresher.refresh(session);
    } catch (error: unknown) {
      if (signal.aborted) return;
      this.#fail(toBridgeError(error, 'handshakeFailed', 'The server could not be started'));
    }
  }

  #adopt(session: Session): void {
    this.#session = session;
    const { transport, protocolVersion, serverInfo } = session;
    session.onDidClose(() => {
      if (this.#session !== session) return;
      this.#release();
      const reason = transport.endReason();
      this.#fail(
        new BridgeError('connectionLost', `The session ended: ${reason}.`, { summary: reason }),
      );
    });
    session.onDidChangeTools(() => {
      if (this.#session === session) {
        void this.#refresher.refresh(session);
      }
    });
    this.#log.info(`running: ${transport.kind}, protocol ${protocolVersion}`);
    this.#setState({
      kind: 'running',
      since: Date.now(),
      protocolVersion,
      transport: transport.kind,
      ...(serverInfo !== undefined && { serverInfo }),
      ...(transport.pid !== undefined && { pid: transport.pid }),
    });
  }

  /** Lets go of the session; the next start waits for its end. */
  #release(): void {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    this.#closing = withTimeout(session.close(), 5000).catch((error: unknown) => {
      this.#log.error(`stopping: ${errorMessage(error)}`);
    });
  }

  #fail(error: BridgeError): void {
    const message = this.#mask(error.message);
    this.#log.error(message);
    const { code } = error;
    const summary = this.#mask(error.summary);
    this.#setState({ kind: 'error', since: Date.now(), code, message, summary });
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#onDidChange();
  }
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new DOMException('Cancelled', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
