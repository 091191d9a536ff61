import { setTimeout as delay } from 'node:timers/promises';
import { abortOf, withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import { jsonEqual } from '../base/json.ts';
import { prefixed, rewritten, type Logger } from '../base/log.ts';
import { BridgeError, serverUnavailable, toBridgeError } from '../core/failures.ts';
import { redactor } from '../core/redact.ts';
import { SecretMask } from '../core/secretMask.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import type { ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import { ServerAccess } from './auth/serverAccess.ts';
import { KnownLists } from './knownLists.ts';
import { RestartSchedule } from './restartSchedule.ts';
import { ServerRequests } from './serverRequests.ts';
import type { Session } from './session.ts';

/** A request waits for a restart that is at most this many milliseconds away. */
const patience = 20_000;

/** One configured server for as long as it is configured: starts and stops its sessions, one at a time. */
export class ServerRunner {
  readonly #ports: ServerHostPorts;
  readonly #log: Logger;
  readonly #mask: (text: string) => string;
  readonly #onDidChange: () => void;
  readonly #lists: KnownLists;
  /** Signing in and out. */
  readonly access: ServerAccess;
  /** Requests to the server; they start it where that is wanted. */
  readonly requests: ServerRequests;
  #wanted: WantedServer;
  #state: ConnectionState = { kind: 'stopped' };
  #session: Session | undefined;
  #starting: { readonly done: Promise<void>; readonly abort: AbortController } | undefined;
  /** The end of the previous session or start: a new process never runs beside the old one. */
  #closing: Promise<void> = Promise.resolve();
  readonly #restarts = new RestartSchedule(() => void this.#begin());
  #isRetired = false;
  /** Stopped by hand: only starting it by hand ends that, not a call. */
  #isHeld = false;

  constructor(wanted: WantedServer, ports: ServerHostPorts, onDidChange: () => void) {
    this.#wanted = wanted;
    this.#ports = ports;
    this.#onDidChange = onDidChange;
    const { configuration } = wanted;
    const redact = 'launch' in wanted.resolved ? redactor(wanted.resolved.launch) : undefined;
    const masks = new SecretMask();
    this.#mask = (text) => masks.mask(redact?.(text) ?? text);
    this.#log = rewritten(prefixed(ports.log, configuration.key), this.#mask);
    this.#lists = new KnownLists({
      log: this.#log,
      cache: ports.toolCache,
      configuration: () => this.#wanted.configuration,
      isCurrent: (session) => this.#session === session,
      onDidChange,
    });
    this.access = new ServerAccess(wanted, {
      ...{ log: this.#log, masks, ports },
      isRunning: () => this.#session !== undefined,
      start: () => (this.#session === undefined ? this.start() : this.restart()),
      lose: (failure) => {
        if (this.#isRetired || this.#starting !== undefined) return;
        this.#release();
        this.#fail(failure);
      },
      onDidChange: () => this.#noteAccess(),
    });
    this.requests = new ServerRequests({
      log: this.#log,
      mask: this.#mask,
      configuration: () => this.#wanted.configuration,
      session: (signal) => this.#sessionForRequest(signal),
      renew: (session, signal) => this.#renew(session, signal),
    });
  }

  get view(): McpServer {
    const { configuration } = this.#wanted;
    const { tools, lists } = this.#lists;
    const { isSignedIn = false } = this.access;
    return { configuration, state: this.#state, tools, ...lists, isSignedIn };
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
    else this.#lists.readCache();
  }

  /** Starts on a person's order, or because the settings say so. */
  start(): Promise<void> {
    this.#restarts.reset();
    return this.#begin();
  }

  #begin(): Promise<void> {
    this.#isHeld = false;
    this.#restarts.clear();
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
    this.#restarts.clear();
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
    this.access.dispose();
    return this.stop();
  }

  async refresh(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.start();
    const lists = ['tools', 'resources', 'prompts'] as const;
    await Promise.all(lists.map((list) => this.#lists.refresh(session, list)));
  }

  async #sessionForRequest(signal: AbortSignal): Promise<Session> {
    const { key, start } = this.#wanted.configuration;
    if (this.#session === undefined && this.#starting === undefined) {
      const state = this.#state;
      const { wait, isAutomatic } = this.#restarts;
      if (state.kind === 'error' && wait > 0) {
        if (!isAutomatic || wait > patience) throw serverUnavailable(key, state.message);
        await Promise.race([delay(wait), abortOf(signal)]);
        return this.#sessionForRequest(signal);
      }
      if (this.#isHeld) throw serverUnavailable(key, 'the user stopped it in the sidebar.');
      if (start === 'manual') {
        throw serverUnavailable(key, 'it is set to be started by hand and is not running.');
      }
    }
    const starting = this.#begin();
    await Promise.race([starting, abortOf(signal)]);
    if (this.#session !== undefined) return this.#session;
    const state = this.#state;
    throw serverUnavailable(key, state.kind === 'error' ? state.message : 'it was stopped.');
  }

  async #start(signal: AbortSignal): Promise<void> {
    await this.#closing;
    if (signal.aborted) return;
    const { configuration, resolved } = this.#wanted;
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
      const authorization = await this.access.authorization();
      if (signal.aborted) return;
      const session = await openSession({
        authorization,
        launch: resolved.launch,
        configuration,
        features: this.#ports.clientFeatures,
        version: this.#ports.version,
        log: this.#log,
        signal,
      });
      if (signal.aborted) return await session.close();
      this.#adopt(session);
      await this.#lists.readAll(session);
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
    session.onDidChangeList((list) => {
      if (this.#session === session) this.#lists.noteChange(session, list);
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
    const { code, remedy } = error;
    const summary = this.#mask(error.summary);
    const lasted = this.#state.kind === 'running' ? Date.now() - this.#state.since : 0;
    const wait = this.#isRetired
      ? undefined
      : this.#restarts.plan(code, lasted, this.#wanted.configuration);
    if (wait !== undefined) this.#log.info(`starting again in ${Math.round(wait / 100) / 10} s`);
    const rest = {
      ...(wait !== undefined && { retryAt: Date.now() + wait }),
      ...(remedy && { remedy }),
    };
    this.#setState({ kind: 'error', since: Date.now(), code, message, summary, ...rest });
  }

  /** Replaces a session that the server has forgotten, unless that was done already. */
  async #renew(lost: Session, signal: AbortSignal): Promise<Session> {
    if (this.#session === lost) {
      this.#log.info('the server has forgotten the session: opening a new one');
      this.#release();
    }
    return this.#sessionForRequest(signal);
  }

  /** Another window has signed in, perhaps. */
  #noteAccess(): void {
    const state = this.#state;
    const waits = state.kind === 'error' && state.remedy === 'signIn' && !this.#isHeld;
    if (waits && this.access.isSignedIn === true) void this.#begin();
    this.#onDidChange();
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#onDidChange();
  }
}
