import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import { ArgumentCheck } from '../../../src/core/tools/argumentCheck.ts';

const object = (properties: JsonObject, members: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...members,
});
const text = { type: 'string' };

const said: readonly (readonly [schema: JsonObject, args: JsonObject, message: string])[] = [
  [object({ a: text }), { a: 1 }, '- "a" must be string'],
  [object({ a: text }, { required: ['a'] }), {}, '- "a" is required'],
  [object({ o: object({ b: text }, { required: ['b'] }) }), { o: {} }, '- "o.b" is required'],
  [
    object({ list: { type: 'array', items: object({ n: { type: 'number' } }) } }),
    { list: [{ n: 1 }, { n: 'x' }] },
    '- "list[1].n" must be number',
  ],
  [object({ 'a/b~c': text }), { 'a/b~c': 1 }, '- "a/b~c" must be string'],
  [
    object({ a: text }, { additionalProperties: false }),
    { a: 'x', extra: 1 },
    '- "extra" is not a known argument',
  ],
  [object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, '- "a" must be one of ["x","y"]'],
  [object({ a: { const: 5 } }), { a: 6 }, '- "a" must be 5'],
  [
    object({ a: { anyOf: [text, { type: 'null' }] } }),
    { a: 5 },
    '- "a" fits none of the allowed forms',
  ],
  [object({ a: text, b: text }), { a: 1, b: 2 }, '- "a" must be string\n- "b" must be string'],
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
      [check.check(schema, { a: 'x' }), check.check(schema, { a: 1 })],
      [{ isValid: true }, { isValid: false, message: '- "a" must be string' }],
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
      [['x'], ['x', 'y'], [1]].map((a) => check.check(schema, { a }).isValid),
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
    [texts, numbers, texts, schema('string')].map((one) => [
      check.check(one, { a: 'x', b: 'x' }).isValid,
      check.check(one, { a: 1, b: 1 }).isValid,
    ]),
    [
      [true, false],
      [false, true],
      [true, false],
      [true, false],
    ],
  );
});

const uncompilable: readonly JsonObject[] = [
  object({ a: { $ref: '#/$defs/missing' } }),
  object({ a: { $ref: 'https://example.test/elsewhere.json' } }),
  object({ a: { type: 'string', pattern: '(' } }),
  object({ a: { type: 'whatever' } }),
  object({ a: { exclusiveMinimum: true } }),
  { type: 'object', properties: 5 },
];

test('a schema that cannot be compiled checks nothing', () => {
  const check = new ArgumentCheck();
  assert.deepEqual(
    uncompilable.map((schema) => check.check(schema, { a: 5, b: {} })),
    uncompilable.map(() => ({ isValid: true })),
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
