import assert from 'node:assert/strict';
import { test } from 'node:test';
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
