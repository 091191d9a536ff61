import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PastNames } from '../../../src/core/tools/pastNames.ts';
import { buildCatalog, type ToolCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

const withPrefix = (prefix: string, ...tools: readonly string[]): ToolCatalog =>
  buildCatalog([serverOf(configurationOf('s', { prefix }), tools)]);

/** What a name leads to: server id and own name of the tool. */
function led(names: PastNames, catalog: ToolCatalog, name: string): string | undefined {
  const tool = names.find(catalog, name);
  return tool && `${tool.configuration.id} ${tool.definition.name}`;
}

test('a name that was given up leads to the same tool, over many changes and a restart', () => {
  const names = new PastNames();
  const catalogs = ['a', 'b', 'c'].map((prefix) => withPrefix(prefix, 'x.y', 'z'));
  assert.deepEqual(
    catalogs.map((catalog) => names.update(catalog)),
    [false, true, true],
  );
  const now = catalogs[2] ?? assert.fail();
  const restored = new PastNames(JSON.parse(JSON.stringify(names)));
  restored.update(now);
  for (const memory of [names, restored]) {
    assert.deepEqual(
      ['a__x_y', 'b__x_y', 'c__x_y', 'a__z', 'a__gone'].map((name) => led(memory, now, name)),
      ['user/s x.y', 'user/s x.y', 'user/s x.y', 'user/s z', undefined],
    );
  }
});

test('only names that are no longer in use are stored', () => {
  const names = new PastNames();
  names.update(withPrefix('a', 'x'));
  names.update(withPrefix('b', 'x'));
  assert.deepEqual(names.toJSON(), [{ name: 'a__x', serverId: 'user/s', tool: 'x' }]);
  assert.equal(names.update(withPrefix('a', 'x')), true);
  assert.deepEqual(names.toJSON(), [{ name: 'b__x', serverId: 'user/s', tool: 'x' }]);
  assert.equal(names.update(withPrefix('a', 'x')), false);
});

test('a name that is in use now means its present tool, and its last one after that', () => {
  const names = new PastNames();
  const both = (one: string, two: string): ToolCatalog =>
    buildCatalog([
      serverOf(configurationOf('one', { prefix: one }), ['x']),
      serverOf(configurationOf('two', { prefix: two }), ['x']),
    ]);
  const results = [both('a', 'b'), both('c', 'a'), both('c', 'd')].map((catalog) => {
    names.update(catalog);
    return led(names, catalog, 'a__x');
  });
  assert.deepEqual(results, ['user/one x', 'user/two x', 'user/two x']);
});

test('a second server of the same prefix changes both names, and the old one still leads to the first', () => {
  const names = new PastNames();
  const workspace = (key: string) =>
    configurationOf(key, { prefix: 'gh', origin: { scope: 'workspace' } });
  names.update(buildCatalog([serverOf(workspace('one'), ['x'])]));
  const next = buildCatalog([serverOf(workspace('one'), ['x']), serverOf(workspace('two'), ['x'])]);
  names.update(next);
  assert.equal(next.tools.has('gh__x'), false);
  assert.equal(led(names, next, 'gh__x'), 'workspace/one x');
});

test('a tool that is gone is not found under any name', () => {
  const names = new PastNames();
  names.update(withPrefix('a', 'x'));
  names.update(withPrefix('b', 'x'));
  const gone = buildCatalog([]);
  names.update(gone);
  assert.deepEqual([led(names, gone, 'a__x'), led(names, gone, 'b__x')], [undefined, undefined]);
});

test('the newest two thousand names are kept', () => {
  const names = new PastNames();
  const many = (prefix: string): ToolCatalog =>
    withPrefix(prefix, ...Array.from({ length: 1500 }, (_value, index) => `t${index}`));
  for (const prefix of ['a', 'b', 'c']) names.update(many(prefix));
  const now = many('c');
  assert.equal((names.toJSON() as unknown[]).length, 2000);
  assert.deepEqual(
    ['a__t0', 'a__t1499', 'b__t0', 'b__t1499'].map((name) => led(names, now, name)),
    [undefined, 'user/s t1499', 'user/s t0', 'user/s t1499'],
  );
});

test('what was stored is read leniently', () => {
  const good = { name: 'a__x', serverId: 'user/s', tool: 'x' };
  for (const stored of [undefined, null, 'x', {}, [null, 5, {}, { ...good, tool: 5 }]]) {
    assert.deepEqual(new PastNames(stored).toJSON(), []);
  }
  assert.deepEqual(new PastNames([null, good, { name: 'y'.repeat(5000) }]).toJSON(), [good]);
});
