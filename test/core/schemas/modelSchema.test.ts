import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/core/schemas/modelSchema.ts';
import { assertRepaired, object, told, type RepairCase } from '../../support/repairCases.ts';
import { strictSchemaProblems } from '../../support/strictSchema.ts';

const text = { type: 'string' };
/** As JSON, since nothing else with a `then` may be an object here. */
const conditional = JSON.parse(
  '{"if":{"properties":{"mode":{"const":"crop"}}},"then":{"properties":{"box":{"type":"array"}},"required":["box"]}}',
) as JsonObject;

const roots: Readonly<Record<string, RepairCase>> = {
  'nothing at all': { schema: {}, repaired: object({}) },
  'an object without properties': { schema: { type: 'object' }, repaired: object({}) },
  'a list of root types': { schema: { type: ['object', 'null'] }, repaired: object({}) },
  'a dialect': {
    schema: object(
      {},
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', $comment: 'c' },
    ),
    repaired: object({}),
  },
  'a root that is no object': { schema: { type: 'string' }, repaired: object({}), repairs: ['#'] },
  'a root reference': {
    schema: {
      $ref: '#/definitions/Args',
      definitions: { Args: object({ a: text }, { required: ['a'] }) },
    },
    repaired: object({ a: text }, { required: ['a'] }),
  },
  'alternatives at the root': {
    schema: {
      anyOf: [
        object({ id: text, kind: { const: 'x' } }, { required: ['id', 'kind'] }),
        object(
          { id: { type: 'integer' }, kind: { const: 'y' }, n: {} },
          { required: ['id', 'kind'] },
        ),
      ],
    },
    repaired: object(
      {
        id: { anyOf: [text, { type: 'integer' }] },
        kind: { type: 'string', enum: ['x', 'y'] },
        n: {},
      },
      { required: ['id', 'kind'] },
    ),
    repairs: ['#'],
    notes: ['Goes together: {kind: "x", id} or {kind: "y", id}.'],
  },
  'alternatives beside root properties': {
    schema: object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    repaired: object({ a: text, b: text }),
    repairs: ['#'],
    notes: ['Goes together: {a} or {b}.'],
  },
  'allOf with conditions at the root': {
    schema: {
      type: 'object',
      allOf: [object({ mode: text }, { required: ['mode'] }), conditional],
    },
    repaired: object({ mode: text, box: { type: 'array', items: {} } }, { required: ['mode'] }),
    repairs: ['#/allOf/1/then/properties/box', '#/allOf/1'],
    notes: ['If "mode" is "crop" then "box" is {"type":"array","items":{}}.'],
  },
  'rules between properties': {
    schema: object(
      { a: text, b: text },
      { dependentRequired: { a: ['b'] }, not: { required: ['b'] } },
    ),
    repaired: object({ a: text, b: text }),
    repairs: ['#'],
    notes: ['Not allowed: "b" is required.', '"a" needs "b" too.'],
  },
  'required names that do not exist or come twice': {
    schema: object({ a: {}, b: {} }, { required: ['a', 'gone', 'a', 5, 'constructor'] }),
    repaired: object({ a: {}, b: {} }, { required: ['a'] }),
    repairs: ['#', '#'],
  },
  'required names of which none exists': {
    schema: { type: 'object', required: ['gone'] },
    repaired: object({}),
    repairs: ['#'],
  },
  'required as a text': {
    schema: object({ x: text }, { required: 'x' }),
    repaired: object({ x: text }, { required: ['x'] }),
    repairs: ['#'],
  },
  'required as a flag of the property': {
    schema: object({
      a: { type: 'string', required: true },
      b: { type: 'string', required: false },
    }),
    repaired: object({ a: text, b: text }, { required: ['a'] }),
    repairs: ['#/properties/a', '#/properties/b'],
  },
  'a property that cannot be': {
    schema: object({ a: false, b: { not: {} }, c: true }, { required: ['a', 'c'] }),
    repaired: object({ c: {} }, { required: ['c'] }),
  },
  'flags that stay flags': {
    schema: object({}, { additionalProperties: false }),
    repaired: object({}, { additionalProperties: false }),
  },
  'closing the newer way': {
    schema: object({}, { unevaluatedProperties: false }),
    repaired: object({}, { additionalProperties: false }),
  },
  'properties named like keywords': {
    schema: object({ items: text, enum: text, type: {}, $schema: text, $ref: text }),
    repaired: object({
      items: text,
      enum: text,
      type: {},
      schema: told(text, 'Real name: $schema.'),
      ref: told(text, 'Real name: $ref.'),
    }),
    repairs: ['#/properties/$schema', '#/properties/$ref'],
  },
};

for (const [name, one] of Object.entries(roots)) {
  test(`${name}: handed on so that no model API refuses it, and the original stays`, () => {
    assertRepaired(one);
  });
}

const inlined = (members: JsonObject): JsonObject => modelSchema(members, { depth: 32 }).schema;

test('references of all kinds inside of the schema are followed', () => {
  const schema = object(
    {
      pointer: { $ref: '#/$defs/a~1b' },
      encoded: { $ref: '#/$defs/a%7E1b' },
      anchor: { $ref: '#there' },
      id: { $ref: 'own.json' },
      oldId: { $ref: '#old' },
      inside: {
        $id: 'https://example.test/base/',
        items: { $ref: 'own' },
        $defs: { o: { $id: 'own', ...text } },
      },
      dynamic: { $dynamicRef: '#there' },
      odd: { $ref: '#/x-own/schema' },
    },
    {
      $defs: {
        'a/b': text,
        b: { $anchor: 'there', ...text },
        c: { $id: 'own.json', ...text },
        d: { id: '#old', ...text },
      },
      'x-own': { schema: { type: 'str' } },
    },
  );
  const { inside, ...others } = inlined(schema)['properties'] as JsonObject;
  assert.deepEqual(inside, { type: 'array', items: text });
  assert.deepEqual(
    new Set(Object.values(others).map((one) => JSON.stringify(one))),
    new Set([JSON.stringify(text)]),
  );
});

test('schemas that refer to themselves end, and those that grow without bound stay small', () => {
  const tree = object({ name: text, children: { type: 'array', items: { $ref: '#' } } });
  const doubling = object(
    { start: { $ref: '#/$defs/0' } },
    {
      $defs: Object.fromEntries(
        Array.from({ length: 64 }, (_value, index) => [
          `${index}`,
          object({
            l: { $ref: `#/$defs/${(index + 1) % 64}` },
            r: { $ref: `#/$defs/${(index + 1) % 64}` },
          }),
        ]),
      ),
    },
  );
  const circle = object(
    { a: { $ref: '#/$defs/a' } },
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  );
  const results = [tree, doubling, circle].map((schema) => modelSchema(schema, { depth: 32 }));
  const sizes = results.map(({ schema }) => JSON.stringify(schema).length);
  assert.ok(
    sizes.every((size) => size < 65_536),
    sizes.join(),
  );
  assert.deepEqual(
    results.map(({ repairs, schema }) => [repairs.length, strictSchemaProblems(schema)]),
    [
      [1, []],
      [1, []],
      [1, []],
    ],
  );
  assert.match(JSON.stringify(results[0]?.schema), /"children":.*"children":.*"name"/);
});

test('a definition with thousands of properties is kept whole', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 3000 }, (_value, index) => [`p${index}`, {}]),
  );
  const schema = { $ref: '#/definitions/Args', definitions: { Args: object(properties) } };
  assert.deepEqual(inlined(schema), object(properties));
});

test('T51 members named __proto__ stay members', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"array"}},"required":["__proto__"]}',
  ) as JsonObject;
  assert.equal(
    JSON.stringify(modelSchema(schema, { depth: 32 }).schema),
    '{"type":"object","properties":{"__proto__":{"type":"array","items":{}}},"required":["__proto__"]}',
  );
});

test('what is nested too deeply is read as anything', () => {
  const deep = (levels: number): JsonObject => {
    let schema: JsonObject = text;
    for (let level = 0; level < levels; level++) schema = object({ a: schema });
    return schema;
  };
  for (const [levels, depth] of [
    [33, 32],
    [100, 32],
    [10_000, 64],
    [5, 4],
  ] as const) {
    const { schema, repairs } = modelSchema(deep(levels), { depth });
    assert.ok(repairs.length >= 1 && !JSON.stringify(schema).includes('string'));
  }
  assert.deepEqual(modelSchema(deep(32), { depth: 32 }).repairs, []);
});

test('a schema that is too large loses texts first, then depth, then properties', () => {
  const described = (count: number, members: JsonObject): JsonObject =>
    object(
      Object.fromEntries(Array.from({ length: count }, (_value, index) => [`p${index}`, members])),
      { required: [`p${count - 1}`] },
    );
  const long = { type: 'string', description: 'd'.repeat(900) };
  const many = described(1000, { ...long, $comment: '' });
  const nested = described(20, object({ inner: described(100, long) }));
  const wide = described(20_000, { ...text, title: 'T' });
  const cpu = process.cpuUsage();
  const [first, second, third] = [many, nested, wide].map((schema) =>
    modelSchema(schema, { depth: 32 }),
  );
  const { user } = process.cpuUsage(cpu);
  for (const result of [first, second, third]) {
    assert.deepEqual(strictSchemaProblems(result?.schema), []);
    assert.equal(result?.repairs.at(-1)?.where, '#');
  }
  const names = (result: typeof first): string[] => Object.keys(result?.schema['properties'] ?? {});
  assert.deepEqual([names(first).length, names(second).length], [1000, 20]);
  assert.ok(names(third).length > 4000 && names(third)[0] === 'p19999');
  // Far more than it takes, far less than anything quadratic.
  assert.ok(user < 5_000_000, `${user} µs`);
});
