import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSoak } from './runSoak.ts';

test('ten servers under use and disturbance leave nothing behind', async () => {
  assert.equal(await runSoak(0.2, 10), 0);
});
