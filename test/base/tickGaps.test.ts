import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TickGaps, tickInterval, type Moment } from '../../src/base/tickGaps.ts';

/** Milliseconds since the tick before, on the clock that never jumps and on the clock of the day; and what is noticed. */
const steps: Readonly<Record<string, readonly [monotonic: number, wall: number, gap: number]>> = {
  'a tick in time': [10_000, 10_000, 0],
  'a busy machine': [35_000, 35_000, 0],
  'a sleep in which both clocks go on': [610_000, 610_000, 600_000],
  'a sleep in which one clock stands': [10_000, 3_610_000, 3_600_000],
  'a process that stood still': [100_000, 100_000, 90_000],
  'a clock of the day set back': [10_000, -86_400_000, 0],
  'a clock set back during a sleep': [610_000, 0, 600_000],
};

for (const [name, [monotonic, wall, gap]] of Object.entries(steps)) {
  test(`gaps between ticks: ${name}`, () => {
    const start: Moment = { monotonic: 5, wall: 1e12 };
    const gaps = new TickGaps(start);
    const next = { monotonic: start.monotonic + monotonic, wall: start.wall + wall };
    assert.equal(gaps.tick(next), gap);
    const after = { monotonic: next.monotonic + tickInterval, wall: next.wall + tickInterval };
    assert.equal(gaps.tick(after), 0, 'it is told once');
  });
}
