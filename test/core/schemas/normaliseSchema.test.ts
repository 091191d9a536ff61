import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { assertRepaired, object, told, type RepairCase } from '../../support/repairCases.ts';

const text = { type: 'string' };
const inProperty = (
  schema: JsonValue,
  repaired: JsonValue,
  repairs?: readonly string[],
): RepairCase => ({
  schema: object({ a: schema }),
  repaired: object({ a: repaired }),
  ...(repairs !== undefined && { repairs: repairs.map((path) => `#/properties/a${path}`) }),
});
/** A property that stays as it is. */
const unchanged = (schema: JsonObject): RepairCase => inProperty(schema, schema);
const nodes: Readonly<Record<string, RepairCase>> = {
  'a plain property': unchanged({
    type: 'integer',
    title: 'A',
    description: 'd',
    minimum: 1,
    default: 2,
  }),
  'a plain choice': unchanged({ type: 'string', enum: ['a', 'b'] }),
  'plain alternatives': unchanged({ anyOf: [text, { type: 'null' }], default: null, title: 'T' }),
  'a harmless pattern': unchanged({ type: 'string', pattern: '^[a-z]+-\\d{2}$', maxLength: 9 }),
  'a map': unchanged({ type: 'object', additionalProperties: text }),
  'an array without items': inProperty({ type: 'array' }, { type: 'array', items: {} }, ['']),
  'items that are no schema': inProperty(
    { type: 'array', items: null },
    { type: 'array', items: {} },
    ['/items'],
  ),
  'items that allow anything': inProperty(
    { type: 'array', items: true },
    { type: 'array', items: {} },
  ),
  'items that allow nothing': inProperty(
    { type: 'array', items: false },
    { type: 'array', maxItems: 0, items: {} },
  ),
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
  'types that are schemas': inProperty(
    { type: ['string', { type: 'array' }] },
    { anyOf: [text, { type: 'array', items: {} }] },
    ['', '/anyOf/1'],
  ),
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
  'an alternative that allows anything': inProperty(
    { anyOf: [true, { type: 'null' }], title: 'T' },
    { title: 'T' },
  ),
  'alternatives inside of alternatives': inProperty(
    { anyOf: [{ anyOf: [text, { type: 'null' }] }, { type: 'integer' }] },
    { anyOf: [text, { type: 'null' }, { type: 'integer' }] },
  ),
  'a type beside alternatives': inProperty(
    { type: 'object', oneOf: [object({ x: text }), { properties: { y: text } }] },
    { anyOf: [object({ x: text }), object({ y: text })] },
  ),
  'all of': inProperty(
    {
      description: 'mine',
      allOf: [
        object({ x: text }, { description: 'theirs' }),
        object({ x: { maxLength: 5 } }, { required: ['x'] }),
      ],
    },
    {
      description: 'mine',
      type: 'object',
      properties: { x: { type: 'string', maxLength: 5 } },
      required: ['x'],
    },
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
    {
      type: 'array',
      items: text,
      minItems: -1,
      maxItems: '3',
      uniqueItems: 'x',
      title: 5,
      'x-own': 1,
    },
    { type: 'array', items: text },
    ['', '', '', ''],
  ),
  'bounds that exclude each other': inProperty(
    { type: 'string', minLength: 5, maxLength: 1 },
    text,
    [''],
  ),
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
  'a format not every API takes': inProperty(
    { type: 'string', format: 'uri' },
    told(text, 'Format: uri.'),
    [''],
  ),
  'a format of numbers': inProperty({ type: 'integer', format: 'uint64' }, { type: 'integer' }),
  'true as a schema': inProperty(true, {}),
  'null as a schema': inProperty(null, {}, ['']),
  'a default that is an object': inProperty(
    { type: 'string', default: { type: 'array' }, examples: ['x', 'y'], deprecated: true },
    told(text, 'Default: {"type":"array"}. Example: ["x","y"]. Deprecated.'),
  ),
  'hidden characters': inProperty(told(text, ' a\u202eb\u0007c\ud83d '), told(text, 'abc\ufffd'), [
    '',
  ]),
  'an empty description': inProperty(told(text, ''), text),
  'a reference that leads nowhere': inProperty(
    { $ref: '#/$defs/gone', description: 'd' },
    { description: 'd' },
    [''],
  ),
  'a reference to elsewhere': inProperty({ $ref: 'https://example.test/x.json' }, {}, ['']),
  'patterns of names': inProperty(
    { type: 'object', patternProperties: { '^x-': text }, additionalProperties: false },
    told({ type: 'object', additionalProperties: text }, 'Further names match /^x-/.'),
    [''],
  ),
};

for (const [name, one] of Object.entries(nodes)) {
  test(`${name}: handed on so that no model API refuses it, and the original stays`, () => {
    assertRepaired(one);
  });
}
