import { setTimeout as delay } from 'node:timers/promises';
import { abortOf, withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import { jsonEqual } from '../base/json.ts';
import { serverUnavailable, toBridgeError, type BridgeError } from '../core/failures.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import { HealthRecorder } from '../core/servers/serverHealth.ts';
import type { ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import { IdleTimer } from './idleTimer.ts';
import { ServerAccess } from './auth/serverAccess.ts';
import { KnownLists } from './knownLists.ts';
import { maskedLog, type MaskedLogger } from './maskedLog.ts';
import { RestartSchedule } from './restartSchedule.ts';
import { ServerRequests } from './serverRequests.ts';
import type { Session } from './session.ts';
import { openInTurn, type OpenSession, type Starting } from './sessionOpener.ts';
import { errorState, runningState, startRefusal, stoppedState } from './serverStates.ts';
import type { StartGate, Turn } from './startGate.ts';
import { watchSession } from './watchSession.ts';

/** A request waits for a restart that is at most this many milliseconds away. */
const patience = 20_000;

/** What all servers of a window have in common besides the ports. */
export interface RunnerContext {
  readonly open: OpenSession;
  readonly gate: StartGate;
  readonly onDidChange: () => void;
}

/** One configured server for as long as it is configured: starts and stops its sessions, one at a time. */
export class ServerRunner {
  readonly #ports: ServerHostPorts;
  readonly #context: RunnerContext;
  readonly #log: MaskedLogger;
  readonly #mask: (text: string) => string;
  readonly #lists: KnownLists;
  readonly #health: HealthRecorder;
  /** Signing in and out. */
  readonly access: ServerAccess;
  /** Requests to the server; they start it where that is wanted. */
  readonly requests: ServerRequests;
  #wanted: WantedServer;
  #state: ConnectionState = { kind: 'stopped' };
  #session: Session | undefined;
  #starting: Starting | undefined;
  /** The end of the previous session or start: a new process never runs beside the old one. */
  #closing: Promise<void> = Promise.resolve();
  readonly #restarts = new RestartSchedule(() => void this.#begin('restart'));
  readonly #idle = new IdleTimer({
    minutes: () => this.#wanted.configuration.idleStop,
    isBusy: () => this.requests.areOpen || this.#session?.isBusy === true,
    onIdle: () => {
      this.#log.info('stopped, because it was not used; the next call starts it');
      void this.stop('it was not used', true);
    },
  });
  #isRetired = false;
  /** Stopped by hand: only starting it by hand ends that, not a call. */
  #isHeld = false;

  constructor(wanted: WantedServer, ports: ServerHostPorts, context: RunnerContext) {
    this.#wanted = wanted;
    this.#ports = ports;
    this.#context = context;
    const { log, mask, masks } = maskedLog(wanted, ports.log);
    [this.#log, this.#mask] = [log, mask];
    this.#health = new HealthRecorder((error) => this.#log.error(errorMessage(error)));
    this.#lists = new KnownLists({
      log,
      cache: ports.toolCache,
      configuration: () => this.#wanted.configuration,
      isCurrent: (session) => this.#session === session,
      onDidChange: context.onDidChange,
    });
    this.access = new ServerAccess(wanted, {
      ...{ log, masks, ports },
      isRunning: () => this.#session !== undefined,
      start: () => (this.#session === undefined ? this.start('ordered') : this.restart()),
      lose: (failure) => {
        if (this.#isRetired || this.#starting !== undefined) return;
        this.#release();
        this.#fail(failure);
      },
      onDidChange: () => this.#noteAccess(),
    });
    this.requests = new ServerRequests({
      log,
      mask,
      health: this.#health,
      configuration: () => this.#wanted.configuration,
      session: (signal) => this.#sessionForRequest(signal),
      renew: (session, signal) => this.#renew(session, signal),
      onDoubt: () => void this.verify(),
      onUse: () => this.#idle.use(),
    });
  }

  get view(): McpServer {
    const { isSignedIn = false } = this.access;
    const { configuration } = this.#wanted;
    const known = { tools: this.#lists.tools, ...this.#lists.lists };
    return { configuration, state: this.#state, ...known, health: this.#health, isSignedIn };
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
    const { enabled, limits, idleStop } = wanted.configuration;
    if (before.enabled && !enabled) void this.stop('it was switched off in the settings');
    if (before.idleStop !== idleStop && this.#session !== undefined) this.#idle.update();
    if (jsonEqual(before.limits, limits)) return;
    if (this.#session !== undefined) void this.refresh();
    else this.#lists.readCache();
  }

  /** Starts on a person's order, or because the settings say so: those wait their turn. */
  start(why: 'ordered' | 'settings'): Promise<void> {
    this.#restarts.reset();
    return this.#begin(why);
  }

  #begin(why: Why): Promise<void> {
    this.#isHeld = false;
    this.#restarts.clear();
    if (this.#session !== undefined || this.#isRetired) return Promise.resolve();
    if (this.#starting === undefined) {
      if (this.#state.kind === 'error' && (why === 'restart' || why === 'needed')) {
        this.#health.restarted(Date.now(), this.#state.summary);
      }
      const abort = new AbortController();
      const turn = this.#context.gate.turn(abort.signal);
      const done = this.#start(abort.signal, turn).finally(() => {
        turn.end();
        if (this.#starting?.abort === abort) this.#starting = undefined;
      });
      this.#starting = { done, abort, turn };
    }
    if (why === 'ordered' || why === 'needed') this.#starting.turn.hurry();
    return this.#starting.done;
  }

  /** `reason`: why, for requests that are running. */
  async stop(reason: string, isIdle = false): Promise<void> {
    this.#restarts.clear();
    const starting = this.#starting;
    this.#starting = undefined;
    starting?.abort.abort();
    this.#setState(stoppedState(this.#state, isIdle));
    this.#release(reason);
    this.#closing = Promise.all([this.#closing, starting?.done]).then(() => undefined);
    await this.#closing;
  }

  /** Stops on a person's order: calls do not start the server again. */
  hold(): Promise<void> {
    this.#isHeld = true;
    return this.stop('the user stopped it');
  }

  /** The new start is queued at once, so that a later order to stop counts. */
  restart(): Promise<void> {
    void this.stop('the user restarted it');
    return this.start('ordered');
  }

  /** Stops for good: the entry is gone, or another runner has taken over. */
  retire(reason: string): Promise<void> {
    this.#isRetired = true;
    this.access.dispose();
    return this.stop(reason);
  }

  async refresh(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return this.start('ordered');
    await this.#lists.refreshAll(session);
  }

  /** Asks a remote server whether its session still stands; one that does not answer gets a new session. */
  async verify(): Promise<void> {
    await this.#session?.verify();
  }

  async #sessionForRequest(signal: AbortSignal): Promise<Session> {
    const { key } = this.#wanted.configuration;
    if (this.#session === undefined && this.#starting === undefined) {
      const { wait, isAutomatic } = this.#restarts;
      const isInWait = this.#state.kind === 'error' && wait > 0;
      const refusal = startRefusal(this.#wanted.configuration, this.#state, {
        isHeld: this.#isHeld,
        isHopeless: isInWait && (!isAutomatic || wait > patience),
      });
      if (refusal !== undefined) throw serverUnavailable(key, refusal);
      if (isInWait) {
        await Promise.race([delay(wait), abortOf(signal)]);
        return this.#sessionForRequest(signal);
      }
    }
    const starting = this.#begin('needed');
    await Promise.race([starting, abortOf(signal)]);
    if (this.#session !== undefined) return this.#session;
    const state = this.#state;
    throw serverUnavailable(key, state.kind === 'error' ? state.message : 'it was stopped.');
  }

  async #start(signal: AbortSignal, turn: Turn): Promise<void> {
    await this.#closing;
    if (signal.aborted) return;
    try {
      const session = await openInTurn({
        ...{ ports: this.#ports, open: this.#context.open, log: this.#log, turn, signal },
        authorization: () => this.access.authorization(),
        wanted: () => this.#wanted,
        onState: (state) => this.#setState(state),
      });
      if (signal.aborted || session === undefined) return await session?.close();
      this.#adopt(session);
      await this.#lists.readAll(session);
    } catch (error: unknown) {
      if (signal.aborted) return;
      this.#fail(toBridgeError(error, 'handshakeFailed', 'The server could not be started'));
    }
  }

  #adopt(session: Session): void {
    this.#session = session;
    watchSession(session, {
      log: this.#log,
      lists: this.#lists,
      isCurrent: () => this.#session === session,
      onEnd: (error) => {
        this.#release();
        this.#fail(error);
      },
    });
    this.#idle.start();
    this.#log.info(`running: ${session.transport.kind}, protocol ${session.protocolVersion}`);
    this.#setState(runningState(session));
  }

  /** Lets go of the session; the next start waits for its end. `reason`: why it is ended, unless it has ended. */
  #release(reason?: string): void {
    const session = this.#session;
    this.#session = undefined;
    this.#idle.stop();
    if (session === undefined) return;
    if (reason !== undefined) this.requests.end(session, reason);
    this.#closing = withTimeout(session.close(), 5000).catch((error: unknown) => {
      this.#log.error(`stopping: ${errorMessage(error)}`);
    });
  }

  #fail(error: BridgeError): void {
    const lasted = this.#state.kind === 'running' ? Date.now() - this.#state.since : 0;
    const wait = this.#isRetired
      ? undefined
      : this.#restarts.plan(error.code, lasted, this.#wanted.configuration);
    this.#setState(errorState(error, wait, this.#mask, this.#log));
  }

  /** Replaces a session that the server has forgotten, unless that was done already. */
  async #renew(lost: Session, signal: AbortSignal): Promise<Session> {
    if (this.#session === lost) {
      this.#log.info('the server has forgotten the session: opening a new one');
      this.#health.restarted(Date.now(), 'the server had forgotten the session');
      this.#release('the server had forgotten the session');
    }
    return this.#sessionForRequest(signal);
  }

  /** Another window has signed in, perhaps. */
  #noteAccess(): void {
    const state = this.#state;
    const waits = state.kind === 'error' && state.remedy === 'signIn' && !this.#isHeld;
    if (waits && this.access.isSignedIn === true) void this.#begin('settings');
    this.#context.onDidChange();
  }

  #setState(state: ConnectionState): void {
    this.#state = state;
    this.#context.onDidChange();
  }
}

/** Who wants a start. Only `ordered` and `needed`, by a request, do not wait their turn. */
type Why = 'ordered' | 'settings' | 'needed' | 'restart';
