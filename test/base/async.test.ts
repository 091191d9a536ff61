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

test('a coalescer runs once more however often it is asked during a run, and not before', async () => {
  const gates: PromiseWithResolvers<void>[] = [];
  const coalescer = new Coalescer(() => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  });
  const first = coalescer.run();
  const later = [coalescer.run(), coalescer.run()];
  gates[0]?.resolve();
  await first;
  await eventually('the second run', () => gates.length === 2);
  const isPending = Symbol('pending');
  assert.equal(await Promise.race([...later, Promise.resolve(isPending)]), isPending);
  gates[1]?.resolve();
  await Promise.all(later);
  const last = coalescer.run();
  gates[2]?.resolve();
  await last;
  assert.equal(gates.length, 3);
});
