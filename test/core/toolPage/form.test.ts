import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import { formArguments } from '../../../src/core/toolPage/formArguments.ts';
import { formFields } from '../../../src/core/toolPage/formFields.ts';
import { readPageRequest } from '../../../src/core/toolPage/pageRequest.ts';
import { schemaRows } from '../../../src/core/toolPage/schemaRows.ts';

const schema: JsonObject = {
  type: 'object',
  required: ['title', 'place'],
  properties: {
    title: { type: 'string', description: 'A name.', maxLength: 9 },
    size: { enum: ['s', 'l', 3], default: 'l' },
    draft: { type: 'boolean' },
    count: { type: 'integer', minimum: 1 },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { city: { type: 'string' } }, required: [] },
  },
};

function filled(texts: Record<string, string>): JsonObject | string {
  return formArguments(formFields(schema), ({ path, initial }) => texts[path.join('.')] ?? initial);
}

test('rows name type, need, default and rules, nested ones below their parent', () => {
  assert.deepEqual(
    schemaRows(schema).map((row) => [
      row.depth,
      row.name,
      row.type,
      row.isRequired,
      row.initial,
      row.rules,
    ]),
    [
      [0, 'title', 'string', true, '', 'maxLength: 9'],
      [0, 'size', 'any', false, '"l"', 'enum: ["s","l",3]'],
      [0, 'draft', 'boolean', false, '', ''],
      [0, 'count', 'integer', false, '', 'minimum: 1'],
      [0, 'tags', 'array of string', false, '', ''],
      [0, 'place', 'object', true, '', ''],
      [1, 'city', 'string', false, '', ''],
    ],
  );
});

test('fields become arguments: empty ones are left out, required texts and groups are not', () => {
  assert.deepEqual(filled({}), { title: '', size: 'l', place: {} });
  assert.deepEqual(
    filled({
      title: 'x',
      size: '2',
      draft: '1',
      count: '4',
      tags: '["a"]',
      'place.city': 'Rome',
    }),
    { title: 'x', size: 3, draft: false, count: 4, tags: ['a'], place: { city: 'Rome' } },
  );
});

test('a field that cannot be read is named', () => {
  assert.match(
    JSON.stringify(filled({ count: 'many' })).replaceAll('\\', ''),
    /"count" is no number/,
  );
  assert.match(
    JSON.stringify(filled({ count: '"4"' })).replaceAll('\\', ''),
    /"count" is no number/,
  );
  assert.match(JSON.stringify(filled({ tags: '[a' })).replaceAll('\\', ''), /"tags" is no JSON/);
});

test('schemas of any size give a bounded page', () => {
  let deep: JsonObject = { type: 'object', properties: { end: { type: 'string' } } };
  for (let level = 0; level < 100; level++) deep = { type: 'object', properties: { deep } };
  assert.equal(schemaRows(deep).length, 8);
  const properties = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`p${i}`, {}]));
  assert.equal(schemaRows({ properties }).length, 300);
  assert.equal(formFields({ properties }).length, 200);
});

test('only known messages of bounded size are taken from the page', () => {
  assert.deepEqual(readPageRequest({ type: 'run', arguments: '{}' }), {
    type: 'run',
    arguments: '{}',
  });
  for (const message of [
    undefined,
    'run',
    { type: 'run' },
    { type: 'eval', text: '1' },
    { type: 'copy', text: 'x'.repeat(2_000_001) },
  ]) {
    assert.equal(readPageRequest(message), undefined);
  }
});
