import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import type { ConnectionState } from '../../src/core/servers/connectionState.ts';
import { eventually } from '../support/eventually.ts';
import type { JudgedCall } from './callChecks.ts';
import { FixtureError, asText, numberOf, objectsOf, textsOf } from './fixture.ts';
import type { TestBridge } from './testBridge.ts';
import { callTool, textOf } from './toolCalls.ts';

/** Settings key of the server a case is about. */
export const key = 'srv';

/** The fake server at the other end. */
export interface Peer {
  /** The requests of a method it got. */
  requests(method: string): readonly unknown[];
  /** Process ids of it and of what it started. */
  running?(): readonly number[];
  /** Does what a person would once the server runs or is in error. */
  onSettled?(state: ConnectionState): Promise<void>;
}

/** What a session with a scripted server showed. Times in milliseconds. */
export interface SeenSession {
  readonly state: ConnectionState;
  /** From the start until the server ran or was in error. */
  readonly connectMs: number;
  readonly tools: readonly string[];
  readonly calls: readonly JudgedCall[];
  readonly warnings: readonly string[];
  /** What is logged at the level people see: info and above. */
  readonly log: readonly string[];
  readonly registrationChanges: number;
  readonly stopMs: number | undefined;
  readonly survivors: number;
  readonly countRequests: (method: string) => number;
}

/** Connects, calls, watches and stops, as the actions and the expectations of a case say. */
export async function runSession(
  bridge: TestBridge,
  peer: Peer,
  actions: JsonValue | undefined,
  expect: JsonObject,
): Promise<SeenSession> {
  const run = new SessionRun(bridge, peer);
  const calls = objectsOf(expect['calls'] ?? [], 'calls');
  const steps = actionsOf(actions, calls);
  const startedAt = performance.now();
  let call = 0;
  for (const [at, action] of steps.entries()) {
    const args = action.startsWith('call:') ? calls[call++]?.['arguments'] : undefined;
    await run.act(action, steps[at + 1], args ?? {});
  }
  const watchMs = numberOf(expect['observeMs'] ?? 0, 'observeMs');
  await pause(Math.max(0, startedAt + watchMs - performance.now()));
  return run.end();
}

/** One server from its start to its end. */
class SessionRun {
  readonly #bridge: TestBridge;
  readonly #peer: Peer;
  readonly #startedAt = performance.now();
  readonly #calls: Promise<JudgedCall>[] = [];
  #connectMs = 0;
  #stopMs: number | undefined;
  #isStopped = false;
  /** The tools just before the stop. */
  #tools: string[] = [];
  #state: SeenSession['state'] = { kind: 'stopped' };

  constructor(bridge: TestBridge, peer: Peer) {
    this.#bridge = bridge;
    this.#peer = peer;
  }

  /** `next`: what is done afterwards. */
  async act(action: string, next: string | undefined, args: JsonValue): Promise<void> {
    const [name, tool] = action.split(/:(.*)/s);
    if (name === 'connect') {
      this.#state = await this.#bridge.settled(key, 170_000);
      await this.#peer.onSettled?.(this.#state);
      this.#state = await this.#bridge.settled(key, 170_000);
      this.#connectMs = performance.now() - this.#startedAt;
    } else if (name === 'stop') await this.#stop();
    else if (name === 'call' && tool !== undefined) {
      const call = this.#call(tool, args);
      this.#calls.push(call);
      if (next === 'stop') await this.#untilHeard();
      else await call;
    } else throw new FixtureError(`unknown action ${JSON.stringify(action)}`);
  }

  /** Waits for the calls, stops what still runs, and says what was seen. */
  async end(): Promise<SeenSession> {
    const calls = await Promise.all(this.#calls);
    const warnings = this.#bridge.warnings();
    await this.#stop();
    return {
      state: this.#state,
      connectMs: this.#connectMs,
      tools: this.#tools,
      calls,
      warnings,
      log: this.#bridge.log.lines.filter((line) => !/^(trace|debug): /.test(line)),
      registrationChanges: this.#bridge.registrationChanges,
      stopMs: this.#stopMs,
      survivors: await this.#survivors(),
      countRequests: (method) => this.#peer.requests(method).length,
    };
  }

  async #call(tool: string, args: JsonValue): Promise<JudgedCall> {
    const exposed = this.#bridge.exposed(key).find(({ original }) => original === tool);
    const call = await callTool(this.#bridge, exposed?.exposedName ?? `${key}__${tool}`, args);
    return { ...call, text: textOf(call.outcome) };
  }

  async #stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#tools = this.#bridge.exposed(key).map(({ original }) => original);
    const startedAt = performance.now();
    await this.#bridge.host.stopAll();
    this.#stopMs = performance.now() - startedAt;
  }

  /** A server that does not answer is stopped in the middle of the call, not before it. */
  async #untilHeard(): Promise<void> {
    const isHeard = (): boolean => this.#peer.requests('tools/call').length >= this.#calls.length;
    await Promise.race([this.#calls.at(-1), eventually('the call at the server', isHeard)]);
    await pause(300);
  }

  async #survivors(): Promise<number> {
    const running = (): number => this.#peer.running?.().length ?? 0;
    await eventually('no process is left', () => running() === 0, 2000).catch(() => undefined);
    return running();
  }
}

/** What is done, in order; without `actions`: connect, then the calls that are judged. */
function actionsOf(value: JsonValue | undefined, calls: readonly JsonObject[]): string[] {
  const wanted = calls.map(({ tool }) => `call:${asText(tool ?? 'echo')}`);
  if (value === undefined) return ['connect', ...wanted];
  const actions = textsOf(value, 'actions');
  if (actions.some((action) => action.startsWith('call:'))) return actions;
  return actions.flatMap((action) => (action === 'connect' ? [action, ...wanted] : [action]));
}
