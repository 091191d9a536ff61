import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { ArgumentCheck } from '../../../src/core/schemas/argumentCheck.ts';
import { coerceArguments, readArguments } from '../../../src/core/schemas/coerceArguments.ts';
import { modelSchema } from '../../../src/core/schemas/modelSchema.ts';

const given: readonly (readonly [input: unknown, args: JsonObject | undefined])[] = [
  [undefined, {}],
  [null, {}],
  ['', {}],
  [' null ', {}],
  [{ a: 1 }, { a: 1 }],
  [' {"a":[1]} ', { a: [1] }],
  ['text', undefined],
  ['[1]', undefined],
  ['{"a":', undefined],
  [[], undefined],
  [5, undefined],
  [`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, undefined],
];

test('what a caller gave is read as an object, or not at all', () => {
  assert.deepEqual(
    given.map(([input]) => readArguments(input)),
    given.map(([, args]) => args),
  );
});

const text = { type: 'string' };
const list = { type: 'array', items: { type: 'integer' } };
const anything = {};

const values: readonly (readonly [schema: JsonValue, value: JsonValue, coerced: JsonValue])[] = [
  [{ type: 'integer' }, '12', 12],
  [{ type: 'integer' }, ' 12 ', 12],
  [{ type: 'integer' }, '1.5', '1.5'],
  [{ type: 'number' }, '-1.5', -1.5],
  [{ type: 'number' }, '1e400', '1e400'],
  [{ type: 'integer' }, '12345678901234567890', '12345678901234567890'],
  [{ type: 'integer' }, '007', '007'],
  [{ type: 'number' }, '', ''],
  [{ type: ['integer', 'null'] }, '3', 3],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'boolean' }, 'yes', 'yes'],
  [{ type: 'boolean' }, 1, 1],
  [text, 5, '5'],
  [text, true, 'true'],
  [text, '5', '5'],
  [text, ['x'], ['x']],
  [{ type: ['string', 'integer'] }, '5', '5'],
  [list, '[1,"2"]', [1, 2]],
  [list, '1', '1'],
  [list, 1, 1],
  [list, ['1', 2], [1, 2]],
  [{ type: 'object', properties: { n: { type: 'integer' } } }, '{"n":"1"}', { n: 1 }],
  [{ type: 'object' }, '[1]', '[1]'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, { x: 'false' }, { x: false }],
  [{ enum: [1, 2] }, '2', 2],
  [{ const: true }, 'true', true],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, '7', 7],
  [{ $ref: '#/$defs/number' }, '7', 7],
  [{ allOf: [{ $ref: '#/$defs/number' }], description: 'd' }, '7', 7],
  [{ type: 'array', prefixItems: [{ type: 'integer' }, text] }, ['1', 2], [1, '2']],
  [{ type: 'int' }, '1', 1],
  [anything, '1', '1'],
  [true, '1', '1'],
];

test('a value of a type that is not allowed becomes what it means, or stays', () => {
  const root = (schema: JsonValue): JsonObject => ({
    type: 'object',
    properties: { v: schema },
    required: ['v'],
    $defs: { number: { type: 'number' } },
  });
  assert.deepEqual(
    values.map(([schema, v]) => coerceArguments(root(schema), { v })),
    values.map(([, , v]) => ({ v })),
  );
});

test('null for what may be left out is left out', () => {
  const schema = {
    type: 'object',
    properties: {
      optional: text,
      wanted: text,
      nullable: { type: ['string', 'null'] },
      free: {},
      inside: { type: 'object', properties: { optional: text } },
    },
    required: ['wanted'],
  };
  const args = {
    optional: null,
    wanted: null,
    nullable: null,
    free: null,
    inside: { optional: null },
    unknown: null,
  };
  assert.deepEqual(coerceArguments(schema, args), {
    wanted: null,
    nullable: null,
    free: null,
    inside: {},
    unknown: null,
  });
});

test('T51 names of object members are names', () => {
  const args = JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject;
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"integer"}}}',
  ) as JsonObject;
  assert.equal(JSON.stringify(coerceArguments(schema, args)), '{"__proto__":1,"constructor":2}');
});

test('arguments are changed only if they do not fit and the changed ones do', () => {
  const check = new ArgumentCheck();
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      'page[size]': { type: 'object', properties: { $n: { type: 'integer' } } },
    },
  };
  const { aliases } = modelSchema(schema, { depth: 32 });
  const same = { n: 1, extra: '5' };
  const fine = check.check(schema, same, aliases);
  assert.ok(fine.isValid && fine.args === same);
  assert.deepEqual(
    [
      check.check(schema, { n: '1' }, aliases),
      check.check(schema, { 'page[size]': '{"n":"3"}' }, aliases),
      check.check(schema, { n: 'x' }, aliases),
    ],
    [
      { isValid: true, args: { n: 1 } },
      { isValid: true, args: { 'page[size]': { $n: 3 } } },
      { isValid: false, message: '- "n" must be integer' },
    ],
  );
});
