import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/core/schemas/modelSchema.ts';
import { strictSchemaProblems } from '../../support/strictSchema.ts';

interface Case {
  readonly schema: JsonObject;
  readonly repaired: JsonObject;
  /** Places of the repairs. */
  readonly repairs?: readonly string[];
  readonly notes?: readonly string[];
}

const text = { type: 'string' };
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
/** A property that stays as it is. */
const unchanged = (schema: JsonObject): Case => inProperty(schema, schema);
const told = (schema: JsonObject, description: string): JsonObject => ({ ...schema, description });

const roots: Readonly<Record<string, Case>> = {
  'nothing at all': { schema: {}, repaired: object({}) },
  'an object without properties': { schema: { type: 'object' }, repaired: object({}) },
  'a list of root types': { schema: { type: ['object', 'null'] }, repaired: object({}) },
  'a dialect': {
    schema: object({}, { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', $comment: 'c' }),
    repaired: object({}),
  },
  'a root that is no object': { schema: { type: 'string' }, repaired: object({}), repairs: ['#'] },
  'a root reference': {
    schema: { $ref: '#/definitions/Args', definitions: { Args: object({ a: text }, { required: ['a'] }) } },
    repaired: object({ a: text }, { required: ['a'] }),
  },
  'alternatives at the root': {
    schema: {
      anyOf: [
        object({ id: text, kind: { const: 'x' } }, { required: ['id', 'kind'] }),
        object({ id: { type: 'integer' }, kind: { const: 'y' }, n: {} }, { required: ['id', 'kind'] }),
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
      allOf: [
        object({ mode: text }, { required: ['mode'] }),
        {
          if: object({ mode: { const: 'crop' } }),
          then: object({ box: { type: 'array' } }, { required: ['box'] }),
        },
      ],
    },
    repaired: object({ mode: text, box: { type: 'array', items: {} } }, { required: ['mode'] }),
    repairs: ['#/allOf/1/then/properties/box', '#/allOf/1'],
    notes: ['If "mode" is "crop" then "box" is {"type":"array","items":{}}.'],
  },
  'rules between properties': {
    schema: object({ a: text, b: text }, { dependentRequired: { a: ['b'] }, not: { required: ['b'] } }),
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
    schema: object({ a: { type: 'string', required: true }, b: { type: 'string', required: false } }),
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

const nodes: Readonly<Record<string, Case>> = {
  'a plain property': unchanged({ type: 'integer', title: 'A', description: 'd', minimum: 1, default: 2 }),
  'a plain choice': unchanged({ type: 'string', enum: ['a', 'b'] }),
  'plain alternatives': unchanged({ anyOf: [text, { type: 'null' }], default: null, title: 'T' }),
  'a harmless pattern': unchanged({ type: 'string', pattern: '^[a-z]+-\\d{2}$', maxLength: 9 }),
  'a map': unchanged({ type: 'object', additionalProperties: text }),
  'an array without items': inProperty({ type: 'array' }, { type: 'array', items: {} }, ['']),
  'items that are no schema': inProperty({ type: 'array', items: null }, { type: 'array', items: {} }, ['/items']),
  'items that allow anything': inProperty({ type: 'array', items: true }, { type: 'array', items: {} }),
  'items that allow nothing': inProperty({ type: 'array', items: false }, { type: 'array', maxItems: 0, items: {} }),
  'a nullable array without items': inProperty(
    { type: ['array', 'null'], description: 'd' },
    { description: 'd', anyOf: [{ type: 'array', items: {} }, { type: 'null' }] },
    [''],
  ),
  'a nullable of OpenAPI': inProperty(
    { type: 'string', nullable: true, enum: ['a'] },
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
  ),
  'a tuple': inProperty(
    { type: 'array', items: [{ type: 'array' }, text], additionalItems: false },
    {
      type: 'array',
      maxItems: 2,
      items: { anyOf: [{ type: 'array', items: {} }, text] },
      description: 'Items in this order: array, string.',
    },
    ['/prefixItems/0', ''],
  ),
  'a tuple of the newer kind': inProperty(
    { prefixItems: [text], description: 'One' },
    { type: 'array', items: text, description: 'One. Items in this order: string.' },
    [''],
  ),
  'types of other languages': inProperty({ type: 'int' }, { type: 'integer' }, ['']),
  'a type that is any type': inProperty({ type: 'any' }, {}, ['']),
  'a type nobody knows': inProperty({ type: 'file' }, {}, ['']),
  'types that are schemas': inProperty({ type: ['string', { type: 'array' }] }, { anyOf: [text, { type: 'array', items: {} }] }, ['', '/anyOf/1']),
  'a repeated type': inProperty({ type: ['string', 'string'] }, text, ['']),
  'an enum with repetitions': inProperty(
    { enum: ['a', 'b', 'a', null, null] },
    { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
    [''],
  ),
  'an empty enum': inProperty({ type: 'string', enum: [] }, text, ['']),
  'an enum that is no list': inProperty({ type: 'string', enum: 'a' }, text, ['']),
  'an enum with an empty text': inProperty(
    { type: 'string', enum: ['', 'a'] },
    told({ type: 'string', enum: ['a'] }, 'May also be "".'),
    [''],
  ),
  'an enum of numbers': inProperty(
    { type: 'integer', enum: [3, 1] },
    told({ type: 'integer', minimum: 1, maximum: 3 }, 'One of: [3,1].'),
    [''],
  ),
  'an enum of another type': inProperty(
    { type: 'integer', enum: ['1'] },
    told({ type: 'integer' }, 'One of: ["1"].'),
    [''],
  ),
  'a constant': inProperty({ const: 'x' }, { type: 'string', enum: ['x'] }),
  'alternatives that only list texts': inProperty(
    { oneOf: [{ const: 'a' }, { enum: ['b', 'a'] }] },
    { type: 'string', enum: ['a', 'b'] },
  ),
  'an alternative that allows anything': inProperty({ anyOf: [true, { type: 'null' }], title: 'T' }, { title: 'T' }),
  'alternatives inside of alternatives': inProperty(
    { anyOf: [{ anyOf: [text, { type: 'null' }] }, { type: 'integer' }] },
    { anyOf: [text, { type: 'null' }, { type: 'integer' }] },
  ),
  'a type beside alternatives': inProperty(
    { type: 'object', oneOf: [object({ x: text }), { properties: { y: text } }] },
    { anyOf: [object({ x: text }), object({ y: text })] },
  ),
  'all of': inProperty(
    { description: 'mine', allOf: [object({ x: text }, { description: 'theirs' }), object({ x: { maxLength: 5 } }, { required: ['x'] })] },
    { description: 'mine', type: 'object', properties: { x: { type: 'string', maxLength: 5 } }, required: ['x'] },
  ),
  'exclusive bounds of draft-04': inProperty(
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 60, exclusiveMaximum: false },
    { type: 'integer', maximum: 60, exclusiveMinimum: 0 },
    ['', ''],
  ),
  'keywords of draft-03': inProperty(
    { divisibleBy: 5, type: 'number', extends: { minimum: 1 }, disallow: 'null', id: 'x' },
    told({ type: 'number', multipleOf: 5, minimum: 1 }, 'Not allowed: {"type":"null"}.'),
    [''],
  ),
  'values that mean nothing': inProperty(
    { type: 'array', items: text, minItems: -1, maxItems: '3', uniqueItems: 'x', title: 5, 'x-own': 1 },
    { type: 'array', items: text },
    ['', '', '', ''],
  ),
  'bounds that exclude each other': inProperty({ type: 'string', minLength: 5, maxLength: 1 }, text, ['']),
  'keywords of another type': inProperty({ type: 'string', items: text, minimum: 5 }, text),
  'a pattern that is none': inProperty({ type: 'string', pattern: '(' }, text, ['']),
  'a pattern that takes forever': inProperty(
    { type: 'string', pattern: '^(a+)+$' },
    told(text, 'Must match /^(a+)+$/.'),
    [''],
  ),
  'a pattern only without the flag u': inProperty(
    { type: 'string', pattern: '^[\\w-.]+$' },
    told(text, 'Must match /^[\\w-.]+$/.'),
    [''],
  ),
  'a format not every API takes': inProperty({ type: 'string', format: 'uri' }, told(text, 'Format: uri.'), ['']),
  'a format of numbers': inProperty({ type: 'integer', format: 'uint64' }, { type: 'integer' }),
  'true as a schema': inProperty(true, {}),
  'null as a schema': inProperty(null, {}, ['']),
  'a default that is an object': inProperty(
    { type: 'string', default: { type: 'array' }, examples: ['x', 'y'], deprecated: true },
    told(text, 'Default: {"type":"array"}. Example: ["x","y"]. Deprecated.'),
  ),
  'hidden characters': inProperty(
    told(text, ' a\u202eb\u0007c\ud83d '),
    told(text, 'abc\ufffd'),
    [''],
  ),
  'an empty description': inProperty(told(text, ''), text),
  'a reference that leads nowhere': inProperty({ $ref: '#/$defs/gone', description: 'd' }, { description: 'd' }, ['']),
  'a reference to elsewhere': inProperty({ $ref: 'https://example.test/x.json' }, {}, ['']),
  'patterns of names': inProperty(
    { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
    told({ type: 'object', additionalProperties: text }, 'Further names match /^x-/.'),
    [''],
  ),
};

for (const [name, { schema, repaired, repairs = [], notes = [] }] of Object.entries({ ...roots, ...nodes })) {
  test(`${name}: handed on so that no model API refuses it, and the original stays`, () => {
    const before = structuredClone(schema);
    const result = modelSchema(schema, { depth: 32 });
    assert.deepEqual(
      {
        schema: result.schema,
        repairs: result.repairs.map(({ where }) => where),
        notes: result.notes,
        original: schema,
        problems: strictSchemaProblems(result.schema),
      },
      { schema: repaired, repairs, notes, original: before, problems: [] },
    );
    assert.deepEqual(modelSchema(result.schema, { depth: 32 }), {
      schema: repaired,
      repairs: [],
      aliases: undefined,
      notes: [],
    });
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
      inside: { $id: 'https://example.test/base/', items: { $ref: 'own' }, $defs: { o: { $id: 'own', ...text } } },
      dynamic: { $dynamicRef: '#there' },
      odd: { $ref: '#/x-own/schema' },
    },
    {
      $defs: { 'a/b': text, b: { $anchor: 'there', ...text }, c: { $id: 'own.json', ...text }, d: { id: '#old', ...text } },
      'x-own': { schema: { type: 'str' } },
    },
  );
  const { inside, ...others } = inlined(schema)['properties'] as JsonObject;
  assert.deepEqual(inside, { type: 'array', items: text });
  assert.deepEqual(new Set(Object.values(others).map((one) => JSON.stringify(one))), new Set([JSON.stringify(text)]));
});

test('schemas that refer to themselves end, and those that grow without bound stay small', () => {
  const tree = object({ name: text, children: { type: 'array', items: { $ref: '#' } } });
  const doubling = object(
    { start: { $ref: '#/$defs/0' } },
    {
      $defs: Object.fromEntries(
        Array.from({ length: 64 }, (_value, index) => [
          `${index}`,
          object({ l: { $ref: `#/$defs/${(index + 1) % 64}` }, r: { $ref: `#/$defs/${(index + 1) % 64}` } }),
        ]),
      ),
    },
  );
  const circle = object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } });
  const results = [tree, doubling, circle].map((schema) => modelSchema(schema, { depth: 32 }));
  const sizes = results.map(({ schema }) => JSON.stringify(schema).length);
  assert.ok(sizes.every((size) => size < 65_536), `${sizes.join()}`);
  assert.deepEqual(results.map(({ repairs, schema }) => [repairs.length, strictSchemaProblems(schema)]), [
    [1, []],
    [1, []],
    [1, []],
  ]);
  assert.match(JSON.stringify(results[0]?.schema), /"children":.*"children":.*"name"/);
});

test('a definition with thousands of properties is kept whole', () => {
  const properties = Object.fromEntries(Array.from({ length: 3000 }, (_value, index) => [`p${index}`, {}]));
  const schema = { $ref: '#/definitions/Args', definitions: { Args: object(properties) } };
  assert.deepEqual(inlined(schema), object(properties));
});

test('members named __proto__ stay members', () => {
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
  const [first, second, third] = [many, nested, wide].map((schema) => modelSchema(schema, { depth: 32 }));
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
