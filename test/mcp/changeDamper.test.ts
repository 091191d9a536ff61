import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { ChangeDamper } from '../../src/mcp/changeDamper.ts';

test('changes that are said in vain are looked at ever more rarely', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const now = mock.method(performance, 'now', () => clock);
  let clock = 1000;
  const readings: number[] = [];
  const damper = new ChangeDamper(0, () => {
    readings.push(clock);
    return Promise.resolve(false);
  });
  try {
    for (; clock < 20_000; clock += 100) {
      damper.note();
      damper.note();
      mock.timers.tick(100);
      await Promise.resolve();
      await Promise.resolve();
    }
  } finally {
    now.mock.restore();
    mock.timers.reset();
  }
  const gaps = readings.slice(1).map((at, index) => at - (readings[index] ?? 0));
  // Each tick of the test is 100 ms.
  assert.deepEqual(
    gaps.slice(0, 3).map((gap) => Math.round(gap / 1000)),
    [1, 2, 4],
  );
});

test('changes that are real are looked at at once', async () => {
  let readings = 0;
  const damper = new ChangeDamper(0, () => {
    readings += 1;
    return Promise.resolve(true);
  });
  for (let count = 1; count <= 3; count++) {
    damper.note();
    await eventually('the list is read', () => readings === count);
  }
});

test('an endless row of changes does not put off the reading', async () => {
  let readings = 0;
  const damper = new ChangeDamper(50, () => {
    readings += 1;
    return Promise.resolve(true);
  });
  const nag = setInterval(() => damper.note(), 10);
  try {
    await eventually('the list is read', () => readings > 0, 2000);
  } finally {
    clearInterval(nag);
  }
});

test('a change that is said during a reading is looked at after it, with the pause that the reading earned', async () => {
  const reading = Promise.withResolvers<boolean>();
  let readings = 0;
  const damper = new ChangeDamper(0, () => {
    readings += 1;
    return readings === 1 ? reading.promise : Promise.resolve(false);
  });
  damper.note();
  await eventually('the reading has begun', () => readings === 1);
  damper.note();
  const endedAt = performance.now();
  reading.resolve(false);
  await eventually('the list is read again', () => readings === 2);
  assert.ok(performance.now() - endedAt >= 900);
});

test('a list that changes all the time is taken over a few times a minute, and that is said', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const now = mock.method(performance, 'now', () => clock);
  let clock = 1000;
  let postponed = 0;
  const readings: number[] = [];
  const damper = new ChangeDamper(
    300,
    () => {
      readings.push(clock);
      return Promise.resolve(true);
    },
    () => (postponed += 1),
  );
  try {
    for (; clock < 601_000; clock += 100) {
      damper.note();
      mock.timers.tick(100);
      await Promise.resolve();
      await Promise.resolve();
    }
  } finally {
    now.mock.restore();
    mock.timers.reset();
  }
  const perMinute = Array.from(
    { length: 10 },
    (_, minute) =>
      readings.filter((at) => at >= 1000 + minute * 60_000 && at < 1000 + (minute + 1) * 60_000)
        .length,
  );
  assert.ok((perMinute[0] ?? 0) <= 11, `${perMinute[0]} in the first minute`);
  assert.ok(Math.max(...perMinute.slice(1)) <= 5, `then ${perMinute.slice(1).join(', ')}`);
  assert.ok(Math.min(...perMinute) >= 4, 'they are read, though');
  assert.ok(postponed >= readings.length - 7 && postponed <= readings.length);
});
