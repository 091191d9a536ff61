import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForm } from '../../../src/core/clientFeatures/elicitationForm.ts';

const one = (field: unknown, required: unknown = []) =>
  readForm({ type: 'object', properties: { f: field }, required });

test('every kind of field of the specification is read', () => {
  const choices = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'b' },
  ];
  const rows: readonly [field: object, kind: string, choices: object[]][] = [
    [{ type: 'string' }, 'text', []],
    [{ type: 'number' }, 'number', []],
    [{ type: 'integer' }, 'number', []],
    [{ type: 'boolean' }, 'boolean', []],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['A'] }, 'choice', choices],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, 'choice', choices],
    [{ type: 'array', items: { type: 'string', enum: ['b'] } }, 'choices', choices.slice(1)],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      'choices',
      choices.slice(0, 1),
    ],
  ];
  for (const [field, kind, expected] of rows) {
    const [read] = one(field) ?? [];
    assert.deepEqual([read?.kind, read?.choices], [kind, expected]);
  }
});

test('what the specification does not allow in a form is not asked', () => {
  for (const field of [5, { type: 'object' }, { type: 'array' }, {}, { type: ['string'] }]) {
    assert.equal(one(field), undefined);
  }
  assert.equal(readForm('x'), undefined);
  assert.equal(readForm({ properties: [] }), undefined);
  const many = Array.from({ length: 31 }, (_, index) => [`f${index}`, { type: 'string' }]);
  assert.equal(readForm({ properties: Object.fromEntries(many) }), undefined);
});

test('a form without fields is a plain question', () => {
  assert.deepEqual(readForm({ type: 'object' }), []);
});

const parses: readonly [field: object, text: string, value: unknown][] = [
  [{ type: 'integer', minimum: 1, maximum: 3 }, '2', 2],
  [{ type: 'integer' }, '2.5', 'Must be a whole number.'],
  [{ type: 'number', minimum: 1 }, '0', 'Must be at least 1.'],
  [{ type: 'number', maximum: 1 }, '2', 'Must be at most 1.'],
  [{ type: 'number' }, '', 'Must be a number.'],
  [{ type: 'number' }, 'x', 'Must be a number.'],
  [{ type: 'string', minLength: 2 }, 'a', 'At least 2 characters.'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'At most 1 characters.'],
  [{ type: 'string', maxLength: 1 }, '🎉', '🎉'],
  [{ type: 'string', format: 'email' }, 'x', 'Must be an e-mail address.'],
  [{ type: 'string', format: 'email' }, 'a@b.c', 'a@b.c'],
  [{ type: 'string', format: 'date' }, '2026-13-01', 'Must be a date, such as 2026-12-31.'],
  [{ type: 'string', format: 'date' }, '2026-12-01', '2026-12-01'],
  [
    { type: 'string', format: 'uri' },
    'nowhere',
    'Must be an address, such as https://example.com.',
  ],
  [{ type: 'string', format: 'unknown' }, 'x', 'x'],
];

test('answers are checked as the schema says', () => {
  for (const [field, text, expected] of parses) {
    const parsed = one(field)?.[0]?.parse(text);
    assert.deepEqual(
      parsed,
      typeof expected === 'string' && expected !== text
        ? { problem: expected }
        : { value: expected },
    );
  }
});
