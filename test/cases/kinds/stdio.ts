import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { eventually } from '../../support/eventually.ts';
import type { JudgedCall } from '../callChecks.ts';
import { FakeServer } from '../fakeServer.ts';
import {
  asText,
  FixtureError,
  expand,
  numberOf,
  objectOf,
  objectsOf,
  textsOf,
  type Fixture,
} from '../fixture.ts';
import { assertKnown, runChecks, type Report } from '../report.ts';
import { TestBridge } from '../testBridge.ts';
import { callTool, textOf } from '../toolCalls.ts';
import { stdioChecks, type SeenSession } from './stdioChecks.ts';

const key = 'srv';
const otherKey = 'other';
const inputs = ['script', 'actions', 'startTimeoutMs', 'timeScaleAllowed', 'client', 'spawn'];

/** Runs a scripted server under the bridge: connects, calls, watches, stops. Pauses are never shortened. */
export async function runStdio({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, inputs);
  await using fake = await FakeServer.create(input['script'] ?? []);
  await using other = await FakeServer.create([]);
  const hasOther = expect['otherServersReadyWithinMs'] !== undefined;
  const startedAt = performance.now();
  await using bridge = new TestBridge({
    [key]: entryOf(input, fake),
    ...(hasOther && { [otherKey]: other.entry }),
  });
  const otherReady = hasOther
    ? bridge.settled(otherKey).then(() => performance.now() - startedAt)
    : undefined;
  const run = new Run(bridge, fake);
  const calls = objectsOf(expand(expect['calls'] ?? []), 'calls');
  for (const action of actionsOf(input['actions'], calls)) await run.act(action, calls);
  const { observeMs = 0 } = expect;
  await pause(Math.max(0, startedAt + numberOf(observeMs, 'observeMs') - performance.now()));
  const seen = await run.end(await otherReady);
  runChecks(expect, stdioChecks, seen, report);
}

/** One server from its start to its end. */
class Run {
  readonly #bridge: TestBridge;
  readonly #fake: FakeServer;
  readonly #startedAt = performance.now();
  readonly #calls: Promise<JudgedCall>[] = [];
  #connectMs = 0;
  #stopMs: number | undefined;
  #isStopped = false;
  /** The tools just before the stop. */
  #tools: string[] = [];
  #state: SeenSession['state'] = { kind: 'stopped' };

  constructor(bridge: TestBridge, fake: FakeServer) {
    this.#bridge = bridge;
    this.#fake = fake;
  }

  async act(action: string, expected: readonly JsonObject[]): Promise<void> {
    const [name, tool] = action.split(/:(.*)/s);
    if (name === 'connect') {
      this.#state = await this.#bridge.settled(key, 170_000);
      this.#connectMs = performance.now() - this.#startedAt;
    } else if (name === 'stop') await this.#stop();
    else if (name === 'call' && tool !== undefined) {
      const args = expected[this.#calls.length]?.['arguments'] ?? {};
      const call = this.#call(tool, args);
      this.#calls.push(call);
      // A server that does not answer is stopped in the middle of the call.
      const isHeard = (): boolean => this.#fake.requests('tools/call').length >= this.#calls.length;
      await Promise.race([
        call,
        eventually('the call at the server', isHeard).then(() => pause(300)),
      ]);
    } else throw new FixtureError(`unknown action ${JSON.stringify(action)}`);
  }

  /** Waits for the calls, stops what still runs, and says what was seen. */
  async end(otherReadyMs: number | undefined): Promise<SeenSession> {
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
      otherReadyMs,
      fake: this.#fake,
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

  async #survivors(): Promise<number> {
    const gone = (): boolean => this.#fake.running().length === 0;
    await eventually('no process is left', gone, 2000).catch(() => undefined);
    return this.#fake.running().length;
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

function entryOf(input: JsonObject, fake: FakeServer): JsonObject {
  const { spawn, client = {}, startTimeoutMs } = input;
  const timeouts: Record<string, JsonValue> = {};
  const limit = (name: string, ms: JsonValue): void => {
    // The settings take whole seconds from 1 on.
    timeouts[name] = Math.max(1, Math.ceil(numberOf(ms, name) / 1000));
  };
  if (startTimeoutMs !== undefined) limit('connect', startTimeoutMs);
  for (const [name, value] of Object.entries(objectOf(client, 'client'))) {
    const setting = Object.hasOwn(clientTimeouts, name) ? clientTimeouts[name] : undefined;
    if (setting !== undefined) limit(setting, value);
    // Without a person there is nobody to answer: whatever is asked is cancelled or declined.
    else if (name !== 'answerElicitation')
      throw new FixtureError(`unknown setting in "client": ${name}`);
  }
  if (spawn === undefined) return { ...fake.entry, timeouts };
  const program = objectOf(expand(spawn), 'spawn');
  assertKnown(program, ['command', 'args', 'cwd', 'env']);
  return { cwd: fake.folder, ...program, timeouts };
}

/** Time limits as cases may name them, and the setting that stands for each. */
const clientTimeouts: Readonly<Record<string, string>> = {
  startTimeoutMs: 'connect',
  connectTimeoutMs: 'connect',
  callTimeoutMs: 'call',
  requestTimeoutMs: 'call',
  timeoutMs: 'call',
  maxTotalTimeoutMs: 'total',
  totalTimeoutMs: 'total',
};
