import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import {
  parameterHeaders,
  readHeaderParameters,
} from '../../../src/core/tools/headerParameters.ts';

const marked = (header: JsonValue, type: JsonValue = 'string'): JsonObject => ({
  type,
  'x-mcp-header': header,
});
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

const schemas: readonly (readonly [what: string, schema: JsonObject, read: unknown])[] = [
  ['no mark', object({ a: { type: 'string' } }), []],
  ['a mark', object({ a: marked('A') }), [{ path: ['a'], header: 'A' }]],
  [
    'a mark further in',
    object({ a: object({ b: marked('B', 'integer') }) }),
    [{ path: ['a', 'b'], header: 'B' }],
  ],
  ['null besides', object({ a: marked('A', ['boolean', 'null']) }), [{ path: ['a'], header: 'A' }]],
  ['a parameter of that name', object({ 'x-mcp-header': { type: 'string' } }), []],
  ['a default with that member', object({ a: { default: marked('A') } }), []],
  ...['', 'with space', 'Colon:', 'Ä', 'a\r\nb', 5, null].map(
    (header) =>
      [
        `the name ${JSON.stringify(header)}`,
        object({ a: marked(header) }),
        '"x-mcp-header" of its parameter "a" is no name of a header',
      ] as const,
  ),
  ...['number', 'object', 'array', 'null', ['string', 'array'], []].map(
    (type) =>
      [
        `the type ${JSON.stringify(type)}`,
        object({ a: marked('A', type) }),
        '"x-mcp-header" of its parameter "a" needs the type string, integer or boolean',
      ] as const,
  ),
  [
    'no type',
    object({ a: { 'x-mcp-header': 'A' } }),
    '"x-mcp-header" of its parameter "a" needs the type string, integer or boolean',
  ],
  [
    'the same name in another case',
    object({ a: marked('Region'), b: marked('REGION') }),
    'two of its parameters share a name in "x-mcp-header"',
  ],
  ...[
    marked('A', 'object'),
    object({ a: { type: 'array', items: marked('A') } }),
    object({ a: { type: 'array', items: [marked('A')] } }),
    object({ a: { anyOf: [marked('A')] } }),
    { allOf: [object({ a: marked('A') })] },
    { ...object({ a: { $ref: '#/$defs/a' } }), $defs: { a: marked('A') } },
    { definitions: { a: object({ b: marked('B') }) } },
    { additionalProperties: marked('A') },
    { patternProperties: { a: marked('A') } },
  ].map(
    (schema) =>
      [
        `a mark in ${JSON.stringify(schema)}`,
        schema,
        '"x-mcp-header" stands where it does not belong to one parameter',
      ] as const,
  ),
];

for (const [what, schema, read] of schemas) {
  test(`marks of parameters for headers: ${what}`, () => {
    assert.deepEqual(readHeaderParameters(schema), read);
  });
}

const values: readonly (readonly [value: JsonValue | undefined, header: string | undefined])[] = [
  ['us-west1', 'us-west1'],
  ['two words', 'two words'],
  [42, '42'],
  [-1, '-1'],
  [true, 'true'],
  [false, 'false'],
  ['', '=?base64??='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['\tindented', '=?base64?CWluZGVudGVk?='],
  ['a\r\nInjected: b', '=?base64?YQ0KSW5qZWN0ZWQ6IGI=?='],
  ['世', '=?base64?5LiW?='],
  ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  [undefined, undefined],
  [null, undefined],
  [1.5, undefined],
  [2 ** 53, undefined],
  [['a'], undefined],
  [{ a: 'b' }, undefined],
];

for (const [value, header] of values) {
  test(`T30 the header for the argument ${JSON.stringify(value)} is ${header}`, () => {
    const args = value === undefined ? {} : { a: { b: value } };
    assert.deepEqual(
      parameterHeaders([{ path: ['a', 'b'], header: 'X' }], args),
      header === undefined ? {} : { 'Mcp-Param-X': header },
    );
  });
}

test('only arguments that were given become headers, not what all objects have', () => {
  const parameters = [
    { path: ['constructor', 'name'], header: 'A' },
    { path: ['__proto__', 'x'], header: 'B' },
  ];
  assert.deepEqual(parameterHeaders(parameters, {}), {});
});
