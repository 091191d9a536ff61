import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { defaultGrace, shutDown } from '../../src/mcp/processShutdown.ts';
import { spawnServer } from '../../src/mcp/serverProcess.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { isRunning, ProcessMark } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

const { signal } = new AbortController();

/** Starts a server of the test folder and waits until it and its children run. */
async function start(server: string, processes: number) {
  const mark = new ProcessMark();
  const child = await spawnServer(launchOf(server, mark), { log: new RecordingLogger(), signal });
  child.stdout.resume();
  child.stderr.resume();
  await eventually('its processes run', () => mark.running().length >= processes);
  // Answers once its handlers are set.
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await new Promise((resolve) => {
    child.stdout.once('data', resolve);
  });
  return { mark, child };
}

/** Shuts down and gives the milliseconds it took. */
async function stop(child: Parameters<typeof shutDown>[0]): Promise<number> {
  const startedAt = performance.now();
  await shutDown(child);
  return performance.now() - startedAt;
}

test('a well-behaved server ends with its input, without a signal', async () => {
  const { mark, child } = await start('echo', 1);
  const duration = await stop(child);
  assert.deepEqual([child.exitCode, child.signalCode, isRunning(child.pid)], [0, null, false]);
  assert.ok(duration < defaultGrace.stdinEnd + 200);
  await mark.assertGone();
});

test('a server that ignores everything is killed within the time, with its child', async () => {
  const { mark, child } = await start('ignoresSigterm', 2);
  const duration = await stop(child);
  assert.deepEqual([child.signalCode, isRunning(child.pid)], ['SIGKILL', false]);
  const { stdinEnd, terminate, kill } = defaultGrace;
  assert.equal(stdinEnd + terminate + kill, 2500);
  assert.ok(duration < 2500);
  await mark.assertGone();
});

test('what a server leaves behind after a clean end is killed too', async () => {
  const { mark, child } = await start('leavesChild', 2);
  await stop(child);
  assert.deepEqual([child.exitCode, child.signalCode], [0, null]);
  await mark.assertGone();
});

test('a server can be shut down twice, at once or again', async () => {
  const { mark, child } = await start('echo', 1);
  await Promise.all([shutDown(child), shutDown(child)]);
  await shutDown(child);
  await mark.assertGone();
});

test('a process that has ended already costs no time', async () => {
  const { mark, child } = await start('echo', 1);
  process.kill(-child.pid, 'SIGKILL');
  await eventually('it is gone', () => child.signalCode !== null);
  assert.ok((await stop(child)) < 200);
  await mark.assertGone();
});
