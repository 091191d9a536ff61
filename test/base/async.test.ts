import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Coalescer, Sequencer, TimeoutError, withTimeout } from '../../src/base/async.ts';
import { eventually } from '../support/eventually.ts';

test('withTimeout settles as the promise does, or rejects when the time is over', async () => {
  assert.equal(await withTimeout(Promise.resolve('done'), 1000), 'done');
  await assert.rejects(withTimeout(Promise.reject(new Error('broken')), 1000), /broken/);
  await assert.rejects(withTimeout(Promise.withResolvers<void>().promise, 5), new TimeoutError(5));
});

test('a sequencer runs tasks in order, one at a time, and goes on after a failure', async () => {
  const sequencer = new Sequencer();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const results = [
    sequencer.run(async () => {
      seen.push('first begins');
      await first.promise;
      seen.push('first ends');
    }),
    sequencer.run(async () => {
      seen.push('second');
      throw new Error('second failed');
    }),
    sequencer.run(async () => {
      seen.push('third');
      return 3;
    }),
  ];
  await eventually('the first runs', () => seen.length === 1);
  first.resolve();
  const settled = await Promise.allSettled(results);
  assert.deepEqual(
    { seen, statuses: settled.map(({ status }) => status) },
    {
      seen: ['first begins', 'first ends', 'second', 'third'],
      statuses: ['fulfilled', 'rejected', 'fulfilled'],
    },
  );
});

test('a coalescer turns requests during a run into one more run', async () => {
  let runs = 0;
  let release = Promise.withResolvers<void>();
  const coalescer = new Coalescer(
    () => {
      runs += 1;
      return release.promise;
    },
    1,
    assert.ifError,
  );
  coalescer.request();
  coalescer.request();
  await eventually('the first run', () => runs === 1);
  for (let count = 0; count < 5; count++) coalescer.request();
  const first = release;
  release = Promise.withResolvers();
  first.resolve();
  await eventually('the second run', () => runs === 2);
  release.resolve();
  coalescer.dispose();
  coalescer.request();
  assert.equal(runs, 2);
});

test('a coalescer hands errors to its owner and runs again', async () => {
  const errors: unknown[] = [];
  const coalescer = new Coalescer(
    () => Promise.reject(new Error('no')),
    1,
    (error) => errors.push(error),
  );
  coalescer.request();
  await eventually('the first error', () => errors.length === 1);
  coalescer.request();
  await eventually('the second error', () => errors.length === 2);
  coalescer.dispose();
});
