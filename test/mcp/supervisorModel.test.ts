import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { withTimeout } from '../../src/base/async.ts';
import { BridgeError } from '../../src/core/failures.ts';
import { defaultLimits } from '../../src/core/settings/limits.ts';
import type { StdioLaunch } from '../../src/core/settings/serverConfiguration.ts';
import { StartGate } from '../../src/mcp/startGate.ts';
import { FakeSessions } from '../support/fakeSessions.ts';
import { Random } from '../support/random.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

const launch: StdioLaunch = { type: 'stdio', command: 'fake', args: [], env: {} };
const other: StdioLaunch = { ...launch, args: ['other'] };
const keys = ['a', 'b'] as const;
const failure = new BridgeError('handshakeFailed', 'It failed.');

const turnOfLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Nothing, or some turns of the event loop or of its queue of microtasks. */
function pauseOf(random: Random): () => Promise<void> {
  return async () => {
    for (let count = random.below(4); count > 0; count--) {
      if (random.below(2) === 0) await turnOfLoop();
      else await Promise.resolve();
    }
  };
}

/** A supervisor with two servers that do not exist, and everything that can happen to them. */
class Model {
  readonly random: Random;
  readonly sessions: FakeSessions;
  readonly all: TestSupervisor;
  readonly pending: Promise<unknown>[] = [];
  readonly cancel = new AbortController();
  readonly #wanted = new Map<string, ReturnType<typeof wantedOf>>();

  constructor(seed: number) {
    this.random = new Random(seed);
    this.sessions = new FakeSessions(pauseOf(this.random));
    this.all = new TestSupervisor(this.sessions.open, new StartGate(1));
  }

  /** One thing, of which nobody waits for the end. */
  step(): void {
    const { random, all } = this;
    const key = random.pick(keys);
    const id = `user/${key}`;
    const members = {
      enabled: random.below(6) !== 0,
      start: random.pick<'auto' | 'onUse' | 'manual'>(['auto', 'auto', 'onUse', 'manual']),
      limits: { ...defaultLimits, tools: 1 + random.below(2) },
    } as const;
    const steps = [
      () => all.host.start(id),
      () => all.host.stop(id),
      () => all.host.restart(id),
      () => all.host.refresh(id),
      () => this.call(id),
      () => this.call(id),
      () => this.configure(key, wantedOf(key, random.pick([launch, other]), members)),
      () => this.configure(key, undefined),
      () => this.sessions.crash(key),
      () => {
        this.sessions.failure = random.below(3) === 0 ? failure : undefined;
      },
    ] as const;
    this.pending.push(Promise.resolve(random.pick(steps)()));
  }

  configure(key: string, wanted: ReturnType<typeof wantedOf> | undefined): void {
    if (wanted === undefined) this.#wanted.delete(key);
    else this.#wanted.set(key, wanted);
    this.all.host.update([...this.#wanted.values()]);
  }

  async call(serverId: string): Promise<void> {
    const request = { serverId, tool: 'any', arguments: {}, signal: this.cancel.signal };
    await this.all.host.callTool(request).catch((error: unknown) => {
      // What waits for a restart waits longer than this test.
      assert.ok(this.cancel.signal.aborted, String(error));
    });
  }

  async settle(): Promise<void> {
    for (let count = 0; count < 40; count++) await turnOfLoop();
    this.cancel.abort();
    await withTimeout(Promise.all(this.pending), 5000);
    for (let count = 0; count < 20; count++) await turnOfLoop();
  }

  /** What is shown is what is. */
  assertTruth(): void {
    for (const { configuration, state, tools, health } of this.all.host.servers) {
      const alive = this.sessions.alive.get(configuration.key);
      assert.equal(state.kind === 'running' ? state.pid : undefined, alive, state.kind);
      assert.notEqual(state.kind, 'starting', 'nothing starts any more');
      if (alive !== undefined) {
        assert.deepEqual(
          tools?.tools.map(({ name }) => name),
          [`session_${alive}`],
        );
      }
      assert.equal(health?.figures.running, 0);
    }
    const known = new Set(this.all.host.servers.map(({ configuration }) => configuration.key));
    for (const key of this.sessions.alive.keys()) assert.ok(known.has(key), 'it was removed');
  }

  /** Whatever was before, the next orders count. */
  async assertObeys(): Promise<void> {
    this.sessions.failure = undefined;
    for (const key of keys) this.configure(key, wantedOf(key, launch));
    await Promise.all(keys.map((key) => this.all.host.start(`user/${key}`)));
    assert.deepEqual(
      keys.map((key) => this.all.kind(key)),
      ['running', 'running'],
    );
    await this.all.host.stop('user/a');
    assert.deepEqual([this.all.kind('a'), this.sessions.alive.has('a')], ['stopped', false]);
    const pending = this.all.host.restart('user/b');
    await this.assertDisposes();
    await pending;
  }

  async assertDisposes(): Promise<void> {
    const { all, sessions } = this;
    all.host.dispose();
    await withTimeout(all.host.stopAll(), 5000);
    const { opened } = sessions;
    assert.equal(sessions.alive.size, 0, 'something is alive after the end');
    await Promise.all(
      keys.flatMap((key) => [all.host.start(`user/${key}`), this.call(`user/${key}`)]),
    );
    for (let count = 0; count < 5; count++) await turnOfLoop();
    assert.equal(sessions.opened, opened, 'something was started after the end');
  }
}

async function withSeed(seed: number, run: (model: Model) => Promise<void>): Promise<void> {
  try {
    await run(new Model(seed));
  } catch (error: unknown) {
    throw new Error(`seed ${seed}`, { cause: error });
  }
}

test('whatever happens in whatever order, each server has one session at most and the view is true', async (context) => {
  const first = Date.now() % 1_000_000_000;
  context.diagnostic(`seeds ${first} to ${first + 1999}`);
  for (let seed = first; seed < first + 2000; seed++) {
    await withSeed(seed, async (model) => {
      const pause = pauseOf(model.random);
      for (let count = 4 + model.random.below(12); count > 0; count--) {
        model.step();
        await pause();
      }
      await model.settle();
      model.assertTruth();
      await model.assertObeys();
    });
  }
});

test('disposing at any moment of a start leaves nothing and starts nothing', async (context) => {
  const first = Date.now() % 1_000_000_000;
  context.diagnostic(`seeds ${first} to ${first + 999}`);
  for (let seed = first; seed < first + 1000; seed++) {
    await withSeed(seed, async (model) => {
      for (const key of keys) model.configure(key, wantedOf(key, launch));
      if (model.random.below(2) === 0) void model.call('user/b');
      for (let hops = model.random.below(30); hops > 0; hops--) {
        await (model.random.below(3) === 0 ? turnOfLoop() : Promise.resolve());
      }
      await model.assertDisposes();
    });
  }
});

test('a server that fails at each start is started six times, then only by the person', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let clock = 1000;
  const now = mock.method(performance, 'now', () => clock);
  try {
    const sessions = new FakeSessions(() => Promise.resolve());
    sessions.failure = failure;
    const all = new TestSupervisor(sessions.open);
    all.host.update([wantedOf('s', launch)]);
    const pass = async (milliseconds: number): Promise<void> => {
      for (const end = clock + milliseconds; clock < end;) {
        clock += 100;
        mock.timers.tick(100);
        await turnOfLoop();
      }
    };
    const startedAt: number[] = [];
    for (let second = 0; second < 600; second++) {
      await pass(1000);
      if (sessions.opened > startedAt.length) startedAt.push(second);
    }
    assert.equal(sessions.opened, 6);
    const state = all.server('s')?.state;
    assert.ok(state?.kind === 'error' && state.isGivenUp && state.retryAt === undefined);
    assert.equal(state.summary, 'It failed; given up');
    assert.match(state.message, /^It failed\. .*not started again until you start it/);
    const { restarts, lastRestart } = all.server('s')?.health?.figures ?? {};
    assert.deepEqual([restarts, lastRestart?.reason], [5, 'It failed.']);
    const outcome = await all.call('s', 'any');
    assert.ok(outcome.kind === 'failure' && outcome.message.includes('until you start it'));
    assert.equal(sessions.opened, 6);

    // The person's order resets the count: it is restarted by itself again.
    await all.host.start('user/s');
    await pass(40_000);
    assert.equal(sessions.opened, 12);
    sessions.failure = undefined;
    await all.host.start('user/s');
    assert.equal(all.kind('s'), 'running');
    // After a minute of health the count begins anew.
    await pass(61_000);
    sessions.crash('s');
    await pass(1300);
    assert.equal(all.kind('s'), 'running');
    await all.host.stopAll();
    all.host.dispose();
  } finally {
    now.mock.restore();
    mock.timers.reset();
  }
});
