import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateAges } from '../../../src/core/manifests/manifestAges.ts';

const day = 24 * 60 * 60 * 1000;
const today = 20_000 * day;
const now = today + 1234;

test('a manifest nobody has used for thirty days expires', () => {
  const stored = {
    used: today - 90 * day,
    old: today - 31 * day,
    young: today - 30 * day,
    gone: 1,
  };
  const { ages, expired } = updateAges(
    stored,
    ['used', 'old', 'young', 'new'],
    new Set(['used']),
    now,
  );
  assert.deepEqual(
    { ages, expired: [...expired] },
    {
      ages: { used: today, old: today - 31 * day, young: today - 30 * day, new: today },
      expired: ['old'],
    },
  );
});

test('damaged and future ages count as new', () => {
  for (const stored of [undefined, null, 'text', [], { a: 'x' }, { a: today + 400 * day }]) {
    const { ages, expired } = updateAges(stored, ['a'], new Set(), now);
    assert.deepEqual([ages, [...expired]], [{ a: today }, []]);
  }
});
