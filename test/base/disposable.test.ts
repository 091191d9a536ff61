import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposableMap, DisposableStore, toDisposable } from '../../src/base/disposable.ts';

function recorder() {
  const released: string[] = [];
  return { released, item: (name: string) => toDisposable(() => released.push(name)) };
}

test('a disposable releases once', () => {
  const { released, item } = recorder();
  const once = item('it');
  once.dispose();
  once.dispose();
  assert.deepEqual(released, ['it']);
});

test('a store releases the newest first, once, and at once what comes too late', () => {
  const { released, item } = recorder();
  const store = new DisposableStore();
  store.add(item('first'));
  store.add(item('second'));
  store.dispose();
  store.dispose();
  store.add(item('late'));
  assert.deepEqual([released, store.isDisposed], [['second', 'first', 'late'], true]);
});

test('a store releases everything although one throws, and passes the error on', () => {
  const { released, item } = recorder();
  const store = new DisposableStore();
  store.add(item('first'));
  store.add({
    dispose: () => {
      throw new Error('stuck');
    },
  });
  store.add(item('last'));
  assert.throws(() => store.dispose(), /stuck/);
  assert.deepEqual(released, ['last', 'first']);
});

test('a map releases what a key held before it holds another', () => {
  const { released, item } = recorder();
  const map = new DisposableMap<string>();
  map.set('a', item('old a'));
  map.set('a', item('new a'));
  map.set('b', item('b'));
  map.delete('b');
  map.delete('unknown');
  const keys = map.keys();
  map.dispose();
  map.set('c', item('late'));
  assert.deepEqual(
    { released, keys, has: map.has('a') },
    { released: ['old a', 'b', 'new a', 'late'], keys: ['a'], has: false },
  );
});
