import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerLaunch } from '../../src/core/settings/serverConfiguration.ts';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

/** Minutes. */
const second = 1 / 60;

async function idle(all: TestSupervisor): Promise<void> {
  await eventually('it is stopped', () => {
    const state = all.server('s')?.state;
    return state?.kind === 'stopped' && state.isIdle;
  });
}

test('a local server that nobody uses is stopped, keeps its tools, and the next call starts it', async () => {
  for (const start of ['auto', 'manual'] as const) {
    const mark = new ProcessMark();
    await using all = new TestSupervisor();
    all.host.update([wantedOf('s', launchOf('echo', mark), { idleStop: second, start })]);
    await all.host.start('user/s');
    const pid = all.pid('s');
    await idle(all);
    await mark.assertGone();
    assert.deepEqual(all.toolNames('s'), ['echo', 'environment', 'fail', 'refuse']);
    const outcomes = await Promise.all([all.call('s', 'echo', {}), all.call('s', 'echo', {})]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['result', 'result'],
    );
    assert.deepEqual(mark.running(), [all.pid('s')]);
    assert.notEqual(all.pid('s'), pid);
    assert.equal(all.server('s')?.health?.figures.restarts, 0);
    await idle(all);
    // What the person stops is not started by a call.
    await all.host.stop('user/s');
    assert.equal((await all.call('s', 'echo')).kind, 'failure');
    const state = all.server('s')?.state;
    assert.ok(state?.kind === 'stopped' && state.isIdle === undefined);
  }
});

test('a session with a remote server is ended too, and opened anew', async () => {
  await using server = await startStreamableHttp();
  await using all = new TestSupervisor();
  const launch: ServerLaunch = { type: 'http', url: server.url, headers: {} };
  all.host.update([wantedOf('s', launch, { idleStop: second })]);
  await all.ready('s');
  await idle(all);
  await eventually('the server knows', () => server.openSessions === 0);
  const outcome = await all.call('s', 'echo', { text: 'again' });
  assert.equal(outcome.kind, 'result');
  assert.equal(server.openSessions, 1);
});

test('a server is not idle while a call runs or the person is asked', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchOf('slow', mark), { idleStop: second / 2 })]);
  await all.ready('s');
  const pid = all.pid('s');
  const outcome = await all.call('s', 'progress', { steps: 8, interval: 250 });
  assert.equal(outcome.kind, 'result');
  assert.equal(all.pid('s'), pid);
  await idle(all);

  const answer = Promise.withResolvers<{ action: 'cancel' }>();
  all.features.elicitation = () => answer.promise;
  all.host.update([wantedOf('s', launchOf('asks', mark), { idleStop: second / 2 })]);
  await all.ready('s');
  const asking = all.call('s', 'form');
  await pause(1500);
  assert.equal(all.kind('s'), 'running');
  answer.resolve({ action: 'cancel' });
  assert.equal((await asking).kind, 'result');
  await idle(all);
});

test('without the setting a server runs on, and a changed one counts at once', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const launch = launchOf('echo', mark);
  all.host.update([wantedOf('s', launch)]);
  await all.ready('s');
  const pid = all.pid('s');
  await pause(1200);
  assert.equal(all.pid('s'), pid);
  all.host.update([wantedOf('s', launch, { idleStop: 0.001 })]);
  await idle(all);
});
