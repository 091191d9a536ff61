import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RestartPolicy } from '../../../src/core/servers/restartPolicy.ts';

const policy = (): RestartPolicy => new RestartPolicy(() => 0.5);

test('delays double, and after five failures only the person starts the server', () => {
  const local = policy();
  const starts = Array.from({ length: 6 }, (_, index) => local.failed(index * 20_000, 0, false));
  assert.deepEqual(
    starts.map(({ delay }) => delay),
    [1000, 2000, 4000, 8000, 16_000, Infinity],
  );
  assert.deepEqual(
    starts.map(({ isAutomatic }) => isAutomatic),
    [true, true, true, true, true, false],
  );
});

test('a remote server is tried on, twice a minute', () => {
  const remote = policy();
  for (let count = 0; count < 5; count++) remote.failed(count, 0, true);
  assert.deepEqual(remote.failed(6, 0, true), { delay: 30_000, isAutomatic: true });
});

test('failures are forgotten with time, after a sound session, and on order', () => {
  const forgets: readonly ((policy: RestartPolicy) => number)[] = [
    (old) => old.failed(10 * 60_000, 0, false).delay,
    (old) => old.failed(10, 60_000, false).delay,
    (old) => {
      old.reset();
      return old.failed(10, 0, false).delay;
    },
  ];
  for (const forget of forgets) {
    const old = policy();
    for (let count = 0; count < 4; count++) old.failed(count, 0, false);
    assert.equal(forget(old), 1000);
  }
});

test('delays vary by a fifth', () => {
  assert.equal(new RestartPolicy(() => 0).failed(0, 0, false).delay, 800);
  assert.equal(new RestartPolicy(() => 1).failed(0, 0, false).delay, 1200);
});
