import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReopenBackoff } from '../../src/mcp/reopenBackoff.ts';

const steady = (): ReopenBackoff => new ReopenBackoff(() => 0.5);

test('what does not last is opened again eight times, ever later', () => {
  const backoff = steady();
  assert.deepEqual(
    Array.from({ length: 9 }, () => backoff.next(0)),
    [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, undefined],
  );
});

test('what lasted half a minute is opened again at once, as often as it takes', () => {
  const backoff = steady();
  assert.deepEqual(
    Array.from({ length: 20 }, () => backoff.next(30_000)),
    Array.from({ length: 20 }, () => 1000),
  );
});

test('waits vary by a fifth', () => {
  assert.equal(new ReopenBackoff(() => 0).next(0), 800);
  assert.equal(new ReopenBackoff(() => 1).next(0), 1200);
});
