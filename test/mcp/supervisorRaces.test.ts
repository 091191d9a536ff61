import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartGate } from '../../src/mcp/startGate.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { Random } from '../support/random.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

const id = 'user/x';

/** Looks again and again how many processes run at once while the task goes on. */
async function mostRunning(mark: ProcessMark, task: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let isDone = false;
  const watching = eventually(
    'the task',
    () => {
      most = Math.max(most, mark.running().length);
      return isDone;
    },
    30_000,
  );
  await task();
  isDone = true;
  await watching;
  return most;
}

test('disposing during the start leaves nothing behind', async () => {
  for (const server of ['echo', 'neverAnswers', 'ignoresSigterm']) {
    const mark = new ProcessMark();
    const all = new TestSupervisor();
    all.host.update([wantedOf('x', launchOf(server, mark))]);
    await eventually('the process runs', () => mark.running().length > 0);
    all.host.dispose();
    await all.host.stopAll();
    await mark.assertGone();
  }
});

test('disposing at once starts nothing, and nothing is started afterwards', async () => {
  const mark = new ProcessMark();
  const all = new TestSupervisor();
  const wanted = [wantedOf('x', launchOf('echo', mark))];
  all.host.update(wanted);
  all.host.dispose();
  all.host.update(wanted);
  await Promise.all([all.host.start(id), all.host.restart(id), all.host.refresh(id)]);
  const { kind } = await all.call('x', 'echo');
  assert.equal(kind, 'failure');
  await mark.assertGone();
});

test('starting twice starts one process', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('x', launchOf('echo', mark))]);
  await Promise.all([all.host.start(id), all.host.start(id), all.call('x', 'echo')]);
  assert.equal(mark.running().length, 1);
});

test('a new process never runs beside the old one', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const launch = launchOf('neverAnswers', mark, 'tools/call');
  const other = { ...launch, args: [...launch.args, 'other'] };
  all.host.update([wantedOf('x', launch)]);
  await all.ready('x');
  const most = await mostRunning(mark, async () => {
    await all.host.restart(id);
    all.host.update([wantedOf('x', other)]);
    await all.ready('x');
    all.host.update([]);
    all.host.update([wantedOf('x', launch)]);
    await all.ready('x');
  });
  assert.equal(most, 1);
});

test('a server stopped in the middle of its start is gone before it starts again', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('x', launchOf('neverAnswers', mark))]);
  await eventually('the process runs', () => mark.running().length > 0);
  const most = await mostRunning(mark, async () => {
    const stopping = all.host.stop(id);
    const starting = all.host.start(id);
    await stopping;
    await eventually('it is starting', () => mark.running().length > 0);
    await all.host.stop(id);
    await starting;
  });
  assert.equal(most, 1);
  assert.equal(all.kind('x'), 'stopped');
  await mark.assertGone();
});

test('a server that is removed while it is restarted does not come back', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('x', launchOf('echo', mark))]);
  await all.ready('x');
  const restarting = all.host.restart(id);
  all.host.update([]);
  await restarting;
  await mark.assertGone();
});

test('stopping all waits for servers that were removed a moment ago', async () => {
  const mark = new ProcessMark();
  const all = new TestSupervisor();
  all.host.update([wantedOf('x', launchOf('ignoresSigterm', mark))]);
  await all.ready('x');
  all.host.update([]);
  await all.host.stopAll();
  assert.deepEqual(mark.running(), []);
  all.host.dispose();
});

test('whatever is asked in whatever order, the last word counts', async () => {
  const mark = new ProcessMark();
  const random = new Random(11);
  await using all = new TestSupervisor();
  const launch = launchOf('echo', mark);
  const launches = [launch, { ...launch, args: [...launch.args, 'b'] }] as const;
  const pending: Promise<unknown>[] = [];
  const steps = [
    () => all.host.start(id),
    () => all.host.stop(id),
    () => all.host.restart(id),
    () => all.host.refresh(id),
    () => all.call('x', 'echo'),
    () => Promise.resolve(all.host.update([])),
    () => Promise.resolve(all.host.update([wantedOf('x', random.pick(launches))])),
  ] as const;
  const most = await mostRunning(mark, async () => {
    for (let step = 0; step < 60; step++) {
      pending.push(random.pick(steps)());
      if (random.below(3) === 0) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      if (random.below(15) === 0) await Promise.race(pending.slice(-3));
    }
    all.host.update([wantedOf('x', launch)]);
    pending.push(all.host.start(id));
    await Promise.all(pending);
    await all.ready('x');
  });
  assert.ok(most <= 1);
  assert.deepEqual(mark.running(), [all.pid('x')]);
  await all.host.stop(id);
  await mark.assertGone();
});

test('a call during which the settings change ends with the reason, at whatever moment', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const launch = launchOf('slow', mark);
  all.host.update([wantedOf('x', launch)]);
  await all.ready('x');
  let longest = 0;
  for (let round = 0; round < 10; round++) {
    const calls = [all.call('x', 'silent'), all.call('x', 'progress', { steps: 99, interval: 50 })];
    await new Promise((resolve) => {
      setTimeout(resolve, round * 14);
    });
    const editedAt = performance.now();
    all.host.update([wantedOf('x', { ...launch, args: [...launch.args, String(round)] })]);
    for (const outcome of await Promise.all(calls)) {
      assert.ok(outcome.kind === 'failure' && outcome.code === 'connectionLost');
      assert.match(outcome.message, /its settings were changed.*unknown.*not repeated/s);
    }
    longest = Math.max(longest, performance.now() - editedAt);
    await all.ready('x');
    assert.deepEqual(mark.running(), [all.pid('x')]);
  }
  assert.ok(longest < 5000, `${longest} ms`);
});

test('with many servers only some start at a time, and those that hang keep nobody waiting for long', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor(undefined, new StartGate(2, 1000));
  const sound = Array.from({ length: 6 }, (_, number) => `sound${number}`);
  all.host.update([
    ...['hangs', 'hangsToo'].map((key) => wantedOf(key, launchOf('neverAnswers', mark))),
    ...sound.map((key) => wantedOf(key, launchOf('echo', mark))),
  ]);
  await eventually('two start', () => mark.running().length === 2);
  const state = all.server('sound0')?.state;
  assert.ok(state?.kind === 'starting' && state.isQueued);
  // Whom somebody waits for does not queue, nor does one that is stopped.
  assert.equal((await all.call('sound5', 'echo')).kind, 'result');
  await all.host.stop('user/sound4');
  await all.ready(...sound.filter((key) => key !== 'sound4'));
  assert.deepEqual(
    ['hangs', 'hangsToo', 'sound4'].map((key) => all.kind(key)),
    ['starting', 'starting', 'stopped'],
  );
});
