import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '../../../src/core/servers/reconcile.ts';
import { statusText } from '../../../src/core/servers/serverStatus.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';
import { Random } from '../../support/random.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

const isSame = (left: Item, right: Item): boolean => left.value === right.value;
const mapOf = (items: readonly Item[]) => new Map(items.map((item) => [item.id, item]));

test('what exists and what is wanted are compared by id, in the order wanted', () => {
  const current = mapOf([
    { id: 'gone', value: 1 },
    { id: 'same', value: 1 },
    { id: 'other', value: 1 },
  ]);
  const wanted = [
    { id: 'other', value: 2 },
    { id: 'new', value: 1 },
    { id: 'same', value: 1 },
  ];
  assert.deepEqual(reconcile(current, wanted, isSame), {
    removed: ['gone'],
    added: [{ id: 'new', value: 1 }],
    changed: [{ id: 'other', value: 2 }],
    kept: [{ id: 'same', value: 1 }],
  });
});

test('carrying a comparison out always gives what is wanted, and a second one nothing to do', () => {
  const random = new Random(3);
  const items = (): Item[] =>
    random
      .shuffled(['a', 'b', 'c', 'd', 'e'])
      .slice(0, random.below(6))
      .map((id) => ({ id, value: random.below(2) }));
  for (let round = 0; round < 2000; round++) {
    const current = mapOf(items());
    const wanted = items();
    const { removed, added, changed, kept } = reconcile(current, wanted, isSame);
    for (const id of removed) current.delete(id);
    for (const item of [...added, ...changed]) current.set(item.id, item);
    assert.equal(added.length + changed.length + kept.length, wanted.length);
    assert.deepEqual(current, mapOf(wanted));
    assert.deepEqual(reconcile(current, wanted, isSame), {
      ...{ removed: [], added: [], changed: [] },
      kept: wanted,
    });
  }
});

const running = { kind: 'running', since: 0, protocolVersion: '1', transport: 'stdio' } as const;
const failed = { kind: 'error', since: 0, code: 'spawnFailed', summary: 'not found' } as const;

test('the state of a server is told in a few words', () => {
  const tools = ['a', 'b'];
  const { servers } = buildCatalog([
    serverOf(configurationOf('a', { enabled: false }), tools, running),
    serverOf('b', undefined, running),
    serverOf(configurationOf('c', { deny: ['a'] }), tools, running),
    serverOf('d', ['a'], running),
    serverOf('e', tools, { kind: 'starting', since: 0 }),
    serverOf('f', undefined),
    serverOf('g', tools),
    serverOf(configurationOf('h', { start: 'manual' }), tools),
    serverOf('i', tools, { ...failed, message: 'It was not found. Look for e.g. this.' }),
  ]);
  assert.deepEqual(servers.map(statusText), [
    'switched off',
    'running, reading tools…',
    '1 of 2 tools',
    '1 tool',
    'starting…',
    'stopped',
    'stopped · 2 tools',
    'stopped',
    'not found',
  ]);
});
