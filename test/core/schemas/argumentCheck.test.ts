import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import { ArgumentCheck } from '../../../src/core/schemas/argumentCheck.ts';
import { modelSchema } from '../../../src/core/schemas/modelSchema.ts';

const object = (properties: JsonObject, members: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...members,
});
const text = { type: 'string' };

const said: readonly (readonly [schema: JsonObject, args: JsonObject, message: string])[] = [
  [object({ a: text }), { a: {} }, '- "a" must be string'],
  [object({ a: text }, { required: ['a'] }), {}, '- "a" is required'],
  [object({ o: object({ b: text }, { required: ['b'] }) }), { o: {} }, '- "o.b" is required'],
  [
    object({ list: { type: 'array', items: object({ n: { type: 'number' } }) } }),
    { list: [{ n: 1 }, { n: 'x' }] },
    '- "list[1].n" must be number',
  ],
  [object({ 'a/b~c': text }), { 'a/b~c': {} }, '- "a/b~c" must be string'],
  [
    object({ a: text }, { additionalProperties: false }),
    { a: 'x', extra: 1 },
    '- "extra" is not a known argument',
  ],
  [object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, '- "a" must be one of ["x","y"]'],
  [object({ a: { const: 5 } }), { a: 6 }, '- "a" must be 5'],
  [
    object({ a: { anyOf: [text, { type: 'null' }] } }),
    { a: {} },
    '- "a" fits none of the allowed forms',
  ],
  [object({ a: text, b: text }), { a: {}, b: [] }, '- "a" must be string\n- "b" must be string'],
  [
    { type: 'object', minProperties: 1 },
    {},
    '- the arguments must NOT have fewer than 1 properties',
  ],
  [object({ constructor: text }, { required: ['toString'] }), {}, '- "toString" is required'],
];

test('each wrong argument is told with its path and what is wanted', () => {
  const check = new ArgumentCheck();
  assert.deepEqual(
    said.map(([schema, args]) => check.check(schema, args)),
    said.map(([, , message]) => ({ isValid: false, message })),
  );
});

test('many errors are counted, not listed', () => {
  const names = Array.from({ length: 20 }, (_value, index) => `p${index}`);
  const schema = object(Object.fromEntries(names.map((name) => [name, text])), { required: names });
  const verdict = new ArgumentCheck().check(schema, {});
  assert.ok(!verdict.isValid);
  const lines = verdict.message.split('\n');
  assert.deepEqual([lines.length, lines.at(-1)], [9, '- and 12 more']);
});

/** Schemas that say "`a` is a text", in all dialects servers write, and nonsense that must not matter. */
const dialects: readonly JsonObject[] = [
  { $schema: 'http://json-schema.org/draft-07/schema#' },
  { $schema: 'http://json-schema.org/draft-06/schema' },
  { $schema: 'http://json-schema.org/draft-04/schema#' },
  { $schema: 'https://json-schema.org/draft/2019-09/schema' },
  { $schema: 'https://json-schema.org/draft/2020-12/schema' },
  { $schema: 'https://schemas.example.test/own.json' },
  { $schema: 5 },
  { $id: 'https://example.test/tool' },
  { id: 'tool' },
  { 'x-vendor': true, format: 'unheard-of' },
];

test('every dialect is checked, an unknown one as the newest', () => {
  const check = new ArgumentCheck();
  for (const members of dialects) {
    const schema = object({ a: { ...text, format: 'uint64' } }, members);
    assert.deepEqual(
      [check.check(schema, { a: 'x' }), check.check(schema, { a: {} })],
      [
        { isValid: true, args: { a: 'x' } },
        { isValid: false, message: '- "a" must be string' },
      ],
      JSON.stringify(members),
    );
  }
});

test('tuples mean what their dialect says', () => {
  const check = new ArgumentCheck();
  const old = object(
    { a: { type: 'array', items: [text], additionalItems: false } },
    { $schema: 'http://json-schema.org/draft-07/schema#' },
  );
  const recent = object({ a: { type: 'array', prefixItems: [text], items: false } });
  assert.deepEqual(
    [old, recent].map((schema) =>
      [['x'], ['x', 'y'], [[]]].map((a) => check.check(schema, { a }).isValid),
    ),
    [
      [true, false, false],
      [true, false, false],
    ],
  );
});

test('two schemas with the same $id do not know each other', () => {
  const check = new ArgumentCheck();
  const schema = (type: string): JsonObject =>
    object(
      { a: { $ref: '#/$defs/a' }, b: { $ref: 'https://example.test/inner' } },
      {
        $id: 'https://example.test/tool',
        $defs: { a: { type }, b: { $id: 'https://example.test/inner', type } },
      },
    );
  const [texts, numbers] = [schema('string'), schema('number')];
  assert.deepEqual(
    [texts, numbers, texts, schema('string')].map((one) =>
      ['x', '1.5'].map((value) => {
        const verdict = check.check(one, { a: value, b: value });
        return verdict.isValid && verdict.args['b'];
      }),
    ),
    [
      ['x', '1.5'],
      [false, 1.5],
      ['x', '1.5'],
      ['x', '1.5'],
    ],
  );
});

const damaged: readonly (readonly [schema: JsonObject, good: JsonObject, bad: JsonObject])[] = [
  [object({ a: { $ref: '#/$defs/gone' }, b: text }), { a: 5, b: 'x' }, { b: {} }],
  [object({ a: { $ref: 'https://example.test/x.json' }, b: text }), { a: 5 }, { b: [] }],
  [object({ a: { type: 'string', pattern: '(' } }), { a: 'x' }, { a: {} }],
  [object({ a: { type: 'whatever' }, b: text }), { a: 5 }, { b: {} }],
  [object({ a: { type: 'integer', minimum: 0, exclusiveMinimum: true } }), { a: 1 }, { a: 0 }],
  [object({ a: { type: 'string', required: true } }), { a: 'x' }, {}],
  [object({ a: { type: 'string', nullable: true } }), { a: null }, { a: {} }],
  [object({ a: { divisibleBy: 5, minItems: -1, enum: [] } }), { a: 10 }, { a: 11 }],
  [object({ a: { disallow: 'string' } }), { a: 1 }, { a: 'x' }],
  [object({ a: text, b: text }, { dependencies: { a: ['b'] } }), { b: 'x' }, { a: 'x' }],
  [object({ a: text, b: null }, { required: 'a' }), { a: 'x', b: {} }, {}],
];

test('a schema that is wrong in one place, or of an old draft, still checks the rest', () => {
  const check = new ArgumentCheck();
  assert.deepEqual(
    damaged.map(([schema, good, bad]) => [
      check.check(schema, good).isValid,
      check.check(schema, bad).isValid,
    ]),
    damaged.map(() => [true, false]),
  );
});

test('T44 a schema that is too large to compile, or takes forever, checks nothing', () => {
  const check = new ArgumentCheck();
  const wide = object(
    Object.fromEntries(Array.from({ length: 20_000 }, (_value, index) => [`p${index}`, text])),
  );
  const node = { $ref: '#/$defs/n' };
  const doubling = { ...node, $defs: { n: object({ c: { allOf: [node, node] } }) } };
  const circle = {
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
  };
  const deep = JSON.parse(`${'{"c":'.repeat(60)}1${'}'.repeat(60)}`) as JsonObject;
  const start = performance.now();
  assert.deepEqual(
    [check.check(wide, { p1: 5 }), check.check(doubling, deep), check.check(circle, {})].map(
      ({ isValid }) => isValid,
    ),
    [true, true, true],
  );
  assert.ok(performance.now() - start < 5000);
});

const patterns: readonly (readonly [pattern: string, good: string, bad: string | undefined])[] = [
  ['^(a+)+$', 'a'.repeat(50_000), `${'a'.repeat(50_000)}b`],
  ['(.*)*x{3}(.*)*$', 'xxx', 'x'.repeat(2)],
  ['^\\d+\\/\\u0041$', '12/A', '12/B'],
  ['^[\\w-.]+$', 'a-b.c', 'a b'],
  ['^\\p{L}+$', 'äé', '1'],
  // What the engine cannot express is left to the server.
  ['^(?=x)', 'y', undefined],
  ['^(?<n>a)\\k<n>$', 'aa', undefined],
  ['a'.repeat(2000), 'b', undefined],
];

test('T61 patterns take time in proportion to the text, whatever they are', () => {
  const check = new ArgumentCheck();
  const start = performance.now();
  for (const [pattern, good, bad] of patterns) {
    const schema = object(
      { a: { type: 'string', pattern } },
      { patternProperties: { '^(b+)+$': text } },
    );
    assert.ok(check.check(schema, { a: good, [`${'b'.repeat(1000)}c`]: 1 }).isValid, pattern);
    if (bad !== undefined) assert.ok(!check.check(schema, { a: bad }).isValid, pattern);
  }
  assert.ok(performance.now() - start < 5000);
});

test('messages speak of names as the model knows them', () => {
  const schema = object(
    {
      'filter[name]': object({ $top: { type: 'integer' } }, { required: ['$top'] }),
      'uids[]': { type: 'array', items: object({ '@id': text }) },
    },
    { additionalProperties: false, required: ['uids[]'] },
  );
  const { aliases } = modelSchema(schema, { depth: 32 });
  const check = new ArgumentCheck();
  const verdict = (args: JsonObject): unknown => check.check(schema, args, aliases);
  assert.deepEqual(
    [verdict({ 'filter[name]': {}, 'uids[]': [{ '@id': {} }] }), verdict({ $skip: 1 })],
    [
      { isValid: false, message: '- "filter_name.top" is required\n- "uids[0].id" must be string' },
      { isValid: false, message: '- "uids" is required\n- "$skip" is not a known argument' },
    ],
  );
});

test('a schema is compiled once', () => {
  const check = new ArgumentCheck();
  let reads = 0;
  const schema = object({});
  Object.defineProperty(schema, 'properties', {
    enumerable: true,
    get: () => {
      reads += 1;
      return { a: text };
    },
  });
  check.check(schema, { a: 'x' });
  const after = reads;
  for (let count = 0; count < 5; count++) check.check(schema, { a: 1 });
  assert.deepEqual([reads, after > 0], [after, true]);
});
