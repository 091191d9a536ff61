import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CallClock } from '../../src/mcp/callClock.ts';
import { eventually } from '../support/eventually.ts';

test('the time the machine slept is not the time of the call', async () => {
  // The clock of the machine jumps by an hour while the call runs, as it does where timers go on in a sleep.
  let slept = 0;
  const startedAt = performance.now();
  const clock = new CallClock({ call: 0.2, total: 0.5 }, () => performance.now() + slept);
  await pause(100);
  slept = 3_600_000;
  await pause(150);
  assert.equal(clock.expired, undefined, 'it ended at the waking');
  await eventually('the end', () => clock.expired);
  assert.equal(clock.expired, 'call');
  const lasted = performance.now() - startedAt;
  assert.ok(lasted >= 395 && lasted < 2000, `${lasted} ms`);
});

test('a sleep does not give a call more than its whole time', async () => {
  let slept = 0;
  const clock = new CallClock({ call: 0.2, total: 0.5 }, () => performance.now() + slept);
  await pause(100);
  slept = 3_600_000;
  // The timers fire at the waking before anything is received.
  await pause(150);
  const startedAt = performance.now();
  await eventually('the end', () => {
    clock.progress();
    return clock.expired;
  });
  assert.equal(clock.expired, 'total');
  assert.ok(performance.now() - startedAt < 2000);
});
