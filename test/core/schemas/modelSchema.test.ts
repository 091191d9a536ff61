import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/core/tools/modelSchema.ts';
import { Random } from '../../support/random.ts';

interface Case {
  readonly schema: JsonObject;
  readonly repaired: JsonObject;
  /** Places of the repairs. */
  readonly repairs?: readonly string[];
}

const object = (properties: JsonObject, members: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...members,
});
const inProperty = (schema: JsonValue, repaired: JsonValue, repairs?: readonly string[]): Case => ({
  schema: object({ a: schema }),
  repaired: object({ a: repaired }),
  ...(repairs !== undefined && { repairs: repairs.map((path) => `#/properties/a${path}`) }),
});

const cases: Readonly<Record<string, Case>> = {
  'nothing at all': { schema: {}, repaired: object({}) },
  'an object without properties': { schema: { type: 'object' }, repaired: object({}) },
  'a list of root types': { schema: { type: ['object', 'null'] }, repaired: object({}) },
  'a dialect': {
    schema: object({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    repaired: object({}),
  },
  'a dialect further down': inProperty({ $schema: 'draft', type: 'string' }, { type: 'string' }),
  'a property named like the dialect': {
    schema: object({ $schema: { type: 'string' } }),
    repaired: object({ $schema: { type: 'string' } }),
  },
  'an array without items': inProperty({ type: 'array' }, { type: 'array', items: {} }, ['']),
  'a nullable array without items': inProperty(
    { type: ['array', 'null'] },
    { type: ['array', 'null'], items: {} },
    [''],
  ),
  'items that are no schema': inProperty(
    { type: 'array', items: true },
    { type: 'array', items: {} },
  ),
  'a tuple': inProperty(
    { type: 'array', items: [{ type: 'array' }, { type: 'string' }] },
    { type: 'array', items: { anyOf: [{ type: 'array', items: {} }, { type: 'string' }] } },
    ['/items/0'],
  ),
  'a tuple of the newer kind': inProperty(
    { prefixItems: [{ type: 'string' }] },
    { prefixItems: [{ type: 'string' }], items: {} },
    [''],
  ),
  'arrays wherever a schema can stand': {
    schema: object(
      { a: { anyOf: [{ type: 'array' }], not: { type: 'array' } } },
      {
        additionalProperties: { type: 'array' },
        patternProperties: { '^x': { type: 'array' } },
        $defs: { one: { type: 'array' } },
        definitions: { two: { type: 'array' } },
        dependentSchemas: { a: { type: 'array' } },
        if: { properties: { b: { type: 'array' } } },
        unevaluatedProperties: { type: 'array' },
      },
    ),
    repaired: object(
      { a: { anyOf: [{ type: 'array', items: {} }], not: { type: 'array', items: {} } } },
      {
        additionalProperties: { type: 'array', items: {} },
        patternProperties: { '^x': { type: 'array', items: {} } },
        $defs: { one: { type: 'array', items: {} } },
        definitions: { two: { type: 'array', items: {} } },
        dependentSchemas: { a: { type: 'array', items: {} } },
        if: { properties: { b: { type: 'array', items: {} } } },
        unevaluatedProperties: { type: 'array', items: {} },
      },
    ),
    repairs: [
      '#/properties/a/anyOf/0',
      '#/properties/a/not',
      '#/additionalProperties',
      '#/patternProperties/^x',
      '#/$defs/one',
      '#/definitions/two',
      '#/dependentSchemas/a',
      '#/if/properties/b',
      '#/unevaluatedProperties',
    ],
  },
  'required names that do not exist or come twice': {
    schema: object({ a: {}, b: {} }, { required: ['a', 'gone', 'a', 5, 'constructor'] }),
    repaired: object({ a: {}, b: {} }, { required: ['a'] }),
    repairs: ['#'],
  },
  'required names of which none exists': {
    schema: { type: 'object', required: ['gone'] },
    repaired: object({}),
    repairs: ['#'],
  },
  'required as a flag of the property': inProperty(
    { type: 'string', required: true },
    { type: 'string' },
    [''],
  ),
  'an enum with repetitions': inProperty(
    { enum: ['a', 'b', 'a', null, null] },
    { enum: ['a', 'b', null] },
    [''],
  ),
  'an empty enum': inProperty({ type: 'string', enum: [] }, { type: 'string' }, ['']),
  'an enum that is no list': inProperty({ type: 'string', enum: 'a' }, { type: 'string' }, ['']),
  'true as a schema': inProperty(true, {}),
  'false as a schema': inProperty(false, { not: {} }),
  'null as a schema': inProperty(null, {}, ['']),
  'flags that stay flags': {
    schema: object({}, { additionalProperties: false }),
    repaired: object({}, { additionalProperties: false }),
  },
  'data that looks like a schema': inProperty(
    { default: { type: 'array', enum: [] }, const: { required: true }, examples: [{ enum: [] }] },
    { default: { type: 'array', enum: [] }, const: { required: true }, examples: [{ enum: [] }] },
  ),
  'properties named like keywords': {
    schema: object({ items: { type: 'string' }, enum: { type: 'string' }, type: {} }),
    repaired: object({ items: { type: 'string' }, enum: { type: 'string' }, type: {} }),
  },
};

for (const [name, { schema, repaired, repairs = [] }] of Object.entries(cases)) {
  test(`${name} is handed on so that no model API refuses it, and the original stays`, () => {
    const before = structuredClone(schema);
    const result = modelSchema(schema);
    assert.deepEqual(
      { ...result, repairs: result.repairs.map(({ where }) => where), original: schema },
      { schema: repaired, repairs, original: before },
    );
    assert.deepEqual(modelSchema(result.schema), { schema: repaired, repairs: [] });
  });
}

test('members named __proto__ stay members', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"array"}},"__proto__":{"items":1}}',
  ) as JsonObject;
  assert.equal(
    JSON.stringify(modelSchema(schema).schema),
    '{"type":"object","properties":{"__proto__":{"type":"array","items":{}}},"__proto__":{"items":1}}',
  );
});

test('what is nested too deeply is read as anything', () => {
  const deep = (levels: number): JsonObject =>
    levels === 0 ? { type: 'string' } : object({ a: deep(levels - 1) });
  const { schema, repairs } = modelSchema(deep(100));
  assert.deepEqual([repairs.length, JSON.stringify(schema).includes('string')], [1, false]);
});

function randomSchema(random: Random, depth: number): JsonValue {
  if (depth === 0 || random.below(8) === 0) {
    return random.pick<JsonValue>([true, false, null, {}, { type: 'array' }, 'x', 5]);
  }
  const node: JsonObject = {};
  const child = (): JsonValue => randomSchema(random, depth - 1);
  const children = (): JsonObject => ({ a: child(), b: child() });
  if (random.below(2) === 0) node['type'] = random.pick(['object', 'array', 'string']);
  if (random.below(2) === 0) node['properties'] = children();
  if (random.below(3) === 0) node['items'] = random.pick([child(), [child()]]);
  if (random.below(4) === 0) node['anyOf'] = [child(), child()];
  if (random.below(4) === 0) node['$defs'] = children();
  if (random.below(4) === 0) node['additionalProperties'] = child();
  if (random.below(3) === 0) node['required'] = random.pick([['a'], ['a', 'c'], true, ['a', 'a']]);
  if (random.below(3) === 0) node['enum'] = random.pick<JsonValue>([[], ['x', 'x'], ['y'], null]);
  return node;
}

test('what was repaired needs no repair', () => {
  const random = new Random(7);
  let repaired = 0;
  for (let round = 0; round < 2000; round++) {
    const node = randomSchema(random, 5);
    const first = modelSchema(isJsonObject(node) ? node : {});
    repaired += first.repairs.length;
    assert.deepEqual(modelSchema(first.schema), { schema: first.schema, repairs: [] });
  }
  assert.ok(repaired > 1000);
});
