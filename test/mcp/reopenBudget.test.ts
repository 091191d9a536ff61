import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReopenBudget } from '../../src/mcp/reopenBudget.ts';

test('six openings are free, then one each twelve seconds', () => {
  const budget = new ReopenBudget();
  const waits = Array.from({ length: 8 }, () => budget.take(0));
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 0, 12_000, 24_000]);
});

test('what was not used comes back with time', () => {
  const budget = new ReopenBudget();
  for (let count = 0; count < 6; count++) budget.take(0);
  assert.deepEqual([budget.take(12_000), budget.take(13_000)], [0, 11_000]);
  const later = 13_000 + 10 * 60_000;
  assert.deepEqual(
    Array.from({ length: 6 }, () => budget.take(later)),
    [0, 0, 0, 0, 0, 0],
  );
});
