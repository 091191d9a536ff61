import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage, isAbort } from '../../src/base/errors.ts';
import { canonicalJson, isJsonObject, jsonEqual, jsonLength } from '../../src/base/json.ts';

test('equal values have equal canonical text, whatever the order of their keys', () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}');
});

test('a key named __proto__ is a key like any other', () => {
  const [left, right] = ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'].map((text): unknown =>
    JSON.parse(text),
  );
  assert.deepEqual([canonicalJson(left), jsonEqual(left, right)], ['{"__proto__":{"a":1}}', false]);
});

test('JSON values are compared deeply', () => {
  const equal: readonly (readonly [unknown, unknown])[] = [
    [1, 1],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [undefined, undefined],
  ];
  const different: readonly (readonly [unknown, unknown])[] = [
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: '1' }],
    [null, undefined],
    [{}, []],
  ];
  assert.deepEqual(
    [...equal, ...different].map(([left, right]) => jsonEqual(left, right)),
    [...equal.map(() => true), ...different.map(() => false)],
  );
});

test('only plain objects are JSON objects', () => {
  assert.deepEqual([{}, [], null, 'text', 1, undefined].map(isJsonObject), [
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('anything thrown has a message', () => {
  assert.deepEqual(
    [new Error('broken'), new TypeError(''), 'text', '', undefined, { message: 'no' }].map(
      errorMessage,
    ),
    ['broken', 'TypeError', 'text', 'Unknown error', 'Unknown error', 'Unknown error'],
  );
});

test('aborts are told from errors', () => {
  const cancelled = new Error('Canceled');
  cancelled.name = 'Canceled';
  assert.deepEqual(
    [new DOMException('', 'AbortError'), cancelled, new Error('AbortError'), 'AbortError'].map(
      isAbort,
    ),
    [true, true, false, false],
  );
});

test('the length of JSON is known without writing it, at any depth, and no further than asked', () => {
  const values = [null, true, 12, 'text', [], {}, [1, 'a', null], { a: 1, bc: [{}, { d: 'e' }] }];
  for (const value of values) {
    const { length } = JSON.stringify(value);
    const counted = jsonLength(value, 1000);
    assert.ok(counted >= length && counted <= length + 4, JSON.stringify([value, counted]));
  }
  const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  assert.ok(jsonLength(deep, 1e6) >= 400_000);
  assert.ok(
    jsonLength(
      Array.from({ length: 300_000 }, () => 'xxxxxxxxxx'),
      1000,
    ) > 1000,
  );
});
