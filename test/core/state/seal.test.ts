import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealed, unsealed } from '../../../src/core/state/seal.ts';

const key = 'ab'.repeat(32);
const value = { tools: { echo: 'hash' }, list: [1, null, '\ud800'] };
const stored = sealed('pins/echo', value, key);

test('what was sealed is read again, also after members changed places', () => {
  assert.deepEqual(unsealed('pins/echo', stored, key), value);
  const { tools, list } = value;
  assert.deepEqual(
    unsealed('pins/echo', { seal: stored.seal, value: { list, tools } }, key),
    value,
  );
});

const forged: readonly (readonly [what: string, name: string, stored: unknown, key: string])[] = [
  ['another name', 'pins/other', stored, key],
  ['another key', 'pins/echo', stored, 'cd'.repeat(32)],
  ['a changed value', 'pins/echo', { ...stored, value: { tools: {} } }, key],
  ['a changed seal', 'pins/echo', { ...stored, seal: stored.seal.replace(/^./, 'x') }, key],
  ['no seal', 'pins/echo', { value }, key],
  ['no object', 'pins/echo', 'approved', key],
  ['nothing', 'pins/echo', undefined, key],
];
for (const [what, name, candidate, usedKey] of forged) {
  test(`T64 ${what} counts for nothing`, () => {
    assert.equal(unsealed(name, candidate, usedKey), undefined);
  });
}
