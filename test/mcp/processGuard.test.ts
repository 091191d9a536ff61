import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { HostProcess } from '../support/hostProcess.ts';
import { isRunning } from '../support/processes.ts';

/** Milliseconds until nothing may be left: SIGTERM, a second, SIGKILL. */
const limit = 3000;

async function guardOf(host: HostProcess): Promise<number> {
  const [guard = -1, ...others] = host.guards;
  assert.deepEqual([isRunning(guard), others], [true, []]);
  return guard;
}

async function assertEnds(guard: number): Promise<void> {
  await eventually('the guard is gone', () => !isRunning(guard), 3000);
}

for (const target of ['process', 'group'] as const) {
  test(`servers that ignore everything do not outlive a killed host (its ${target}), nor does the guard`, async () => {
    await using host = new HostProcess(['ignoresSigterm', 'leavesChild', 'echo']);
    await host.ready(6);
    const guard = await guardOf(host);
    const duration = await host.kill(target);
    assert.ok(duration < limit, `${duration} ms`);
    await assertEnds(guard);
  });
}

test('a host that has stopped its servers has no guard and ends by itself', async () => {
  await using host = new HostProcess(['leavesChild']);
  await host.ready(3);
  const guard = await guardOf(host);
  await host.order('stop');
  await assertEnds(guard);
  assert.deepEqual(await host.end(), [0, null]);
  await host.mark.assertGone();
});

test('a host that ends without stopping them takes its servers along', async () => {
  await using host = new HostProcess(['ignoresSigterm']);
  await host.ready(3);
  const guard = await guardOf(host);
  assert.deepEqual(await host.end('exit\n'), [0, null]);
  await host.mark.assertGone();
  await assertEnds(guard);
});

test('a process group that is empty is guarded no longer, though nobody has stopped the server', async () => {
  await using host = new HostProcess(['crashOnStart']);
  await host.ready(1);
  await eventually('no guard is left', () => host.guards.every((pid) => !isRunning(pid)));
  await host.order('start ignoresSigterm');
  await eventually('its processes run', () => host.mark.running().length === 3);
  await guardOf(host);
  assert.ok((await host.kill()) < limit);
});

test('a guard that was killed is replaced with the next server, and guards the old ones too', async () => {
  await using host = new HostProcess(['ignoresSigterm']);
  await host.ready(3);
  const first = await guardOf(host);
  process.kill(first, 'SIGKILL');
  await assertEnds(first);
  await host.order('start echo');
  const second = await guardOf(host);
  assert.notEqual(second, first);
  assert.ok((await host.kill()) < limit);
  await assertEnds(second);
});

test('the guard holds nothing but its own three streams', async () => {
  await using host = new HostProcess(['echo', 'echo']);
  await host.ready(3);
  const guard = await guardOf(host);
  // Whoever started us may have left something open for all.
  const foreign = new Set(openFiles(process.pid).map(({ target }) => target));
  const held = openFiles(guard).filter(
    ({ name, target }) => Number(name) < 3 || !foreign.has(target),
  );
  assert.deepEqual(
    held.map(({ name, target }) => `${name} ${target.replace(/:.*/, '')}`).toSorted(),
    ['0 socket', '1 /dev/null', '2 /dev/null'],
  );
});

function openFiles(pid: number): { name: string; target: string }[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [{ name, target: readlinkSync(`${folder}/${name}`) }];
    } catch {
      // The one with which the folder was read.
      return [];
    }
  });
}
