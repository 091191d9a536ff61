import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/core/schemas/modelSchema.ts';
import { toServerArguments, validPropertyName } from '../../../src/core/schemas/propertyAliases.ts';
import { Random } from '../../support/random.ts';

const object = (properties: JsonObject, members: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...members,
});

/** The alias of each name of an object with these properties. */
function aliasesOf(names: readonly string[]): Record<string, string> {
  const schema = object(Object.fromEntries(names.map((name) => [name, {}])));
  return Object.fromEntries(modelSchema(schema, { depth: 32 }).aliases?.aliases ?? []);
}

test('aliases are readable, unique, and depend on no order', () => {
  const names = [
    '$top',
    'top',
    'filter[name]',
    '@odata.type',
    'uids[]',
    '日付',
    '',
    'a b',
    'a_b',
    'a  b',
  ];
  const aliases = aliasesOf(names);
  assert.deepEqual(
    Object.keys(aliases).toSorted(),
    names.filter((name) => !/^(top|a_b)$/.test(name)).toSorted(),
  );
  assert.deepEqual(
    [aliases['filter[name]'], aliases['@odata.type'], aliases['uids[]']],
    ['filter_name', 'odata.type', 'uids'],
  );
  assert.match(aliases['$top'] ?? '', /^top_[0-9a-f]{6}$/);
  const random = new Random(3);
  for (let round = 0; round < 20; round++)
    assert.deepEqual(aliasesOf(random.shuffled(names)), aliases);
  const exposed = [...Object.values(aliases), 'top', 'a_b'];
  assert.equal(new Set(exposed).size, names.length);
  assert.ok(exposed.every((name) => validPropertyName.test(name)));
});

test('random names of any kind get unique valid aliases', () => {
  const random = new Random(11);
  const letters = ['a', 'b', '$', '[', ']', ' ', '_', '.', 'é', '\ud83d', '/', '~', '-'] as const;
  for (let round = 0; round < 300; round++) {
    const names = Array.from({ length: 12 }, () =>
      Array.from({ length: random.below(5) }, () => random.pick(letters))
        .join('')
        .repeat(random.pick([1, 1, 30])),
    );
    const different = [...new Set(names)];
    const { schema, aliases } = modelSchema(
      object(Object.fromEntries(different.map((name) => [name, {}]))),
      { depth: 32 },
    );
    const exposed = Object.keys(schema['properties'] ?? {});
    assert.equal(exposed.length, different.length);
    assert.ok(exposed.every((name) => validPropertyName.test(name)));
    const sent = toServerArguments(aliases, Object.fromEntries(exposed.map((name) => [name, 1])));
    assert.deepEqual(new Set(Object.keys(sent)), new Set(different));
  }
});

const inner = object({ 'page[size]': { type: 'integer' } }, { required: ['page[size]'] });
const everywhere = object(
  {
    $in: inner,
    list: { type: 'array', items: inner },
    map: { type: 'object', additionalProperties: inner },
    either: { anyOf: [{ type: 'null' }, inner, object({ 'page(size)': {}, $other: inner })] },
    shared: { $ref: '#/$defs/inner' },
  },
  { required: ['$in'], $defs: { inner } },
);

test('aliases hold inside of arrays, maps, alternatives and definitions, and are taken back there', () => {
  const { schema, aliases } = modelSchema(everywhere, { depth: 32 });
  assert.deepEqual(schema['required'], ['in']);
  const names: string[] = [];
  const collect = (value: JsonValue, isMap: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (isMap) names.push(key);
      collect(member, key === 'properties' && !isMap);
    }
  };
  collect(schema, false);
  assert.ok(
    names.length >= 13 && names.every((name) => validPropertyName.test(name)),
    names.join(),
  );
  const [size] = Object.keys(
    (schema['properties'] as { in: { properties: JsonObject } }).in.properties,
  );
  assert.equal(size, 'page_size');
  const [first, second] = names.filter((name) => name.startsWith('page_size_'));
  assert.ok(first !== undefined && second !== undefined && first !== second);
  const sizes = { 'page[size]': 1 };
  const sent = {
    $in: sizes,
    list: [sizes, sizes],
    map: { 'any key': sizes, in: sizes },
    either: { ...sizes, $other: sizes },
    shared: sizes,
  };
  const given = {
    in: { page_size: 1 },
    list: [{ page_size: 1 }, { 'page[size]': 1 }],
    map: { 'any key': { page_size: 1 }, in: { page_size: 1 } },
    either: {
      [aliases?.properties.get('either')?.aliases.get('page[size]') ?? '']: 1,
      other: { page_size: 1 },
    },
    shared: { page_size: 1 },
  };
  assert.deepEqual(
    [toServerArguments(aliases, given), toServerArguments(aliases, sent)],
    [sent, sent],
  );
});

test('given under both names, the name of the server counts; other values pass as they are', () => {
  const { aliases } = modelSchema(object({ $a: inner, list: { type: 'array', items: inner } }), {
    depth: 32,
  });
  assert.deepEqual(toServerArguments(aliases, { a: 1, $a: 2, list: 'text', other: null })['$a'], 2);
  assert.deepEqual(toServerArguments(aliases, { list: 'text', a: null }), {
    list: 'text',
    $a: null,
  });
  const args = { a: 1 };
  assert.equal(toServerArguments(undefined, args), args);
  const hostile = JSON.parse('{"__proto__":{"page_size":1},"constructor":1}') as JsonObject;
  assert.equal(
    JSON.stringify(toServerArguments(aliases, hostile)),
    '{"__proto__":{"page_size":1},"constructor":1}',
  );
});
