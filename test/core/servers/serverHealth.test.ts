import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HealthRecorder, healthLines } from '../../../src/core/servers/serverHealth.ts';

function recorder(): HealthRecorder {
  return new HealthRecorder((error) => {
    throw error;
  });
}

test('calls are counted by how they ended, and only answers have a latency', () => {
  const health = recorder();
  assert.deepEqual(health.figures, { calls: 0, running: 0, failures: 0, restarts: 0 });
  for (const outcome of [10, 'failed', 'cancelled', 30] as const) {
    health.callBegan(1000);
    health.callEnded(outcome);
  }
  health.callBegan(2000);
  assert.deepEqual(health.figures, {
    ...{ calls: 5, running: 1, failures: 1, lastCallAt: 2000, restarts: 0 },
    latency: { count: 2, median: 20, longest: 30 },
  });
});

test('the latency is that of the last 20 answers', () => {
  const latencies: Readonly<Record<string, [readonly number[], object]>> = {
    one: [[7], { count: 1, median: 7, longest: 7 }],
    odd: [[9, 1, 5], { count: 3, median: 5, longest: 9 }],
    even: [[9, 1, 5, 2], { count: 4, median: 3.5, longest: 9 }],
    'more than are kept': [
      Array.from({ length: 50 }, (_, index) => 50 - index),
      { count: 20, median: 10.5, longest: 20 },
    ],
  };
  for (const [name, [answers, expected]] of Object.entries(latencies)) {
    const health = recorder();
    for (const milliseconds of answers) {
      health.callBegan(0);
      health.callEnded(milliseconds);
    }
    assert.deepEqual(health.figures.latency, expected, name);
  }
});

test('every change of a figure is told', () => {
  const health = recorder();
  let changes = 0;
  const subscription = health.onDidChangeFigures(() => (changes += 1));
  health.callBegan(0);
  health.callEnded('failed');
  health.restarted(0, 'why');
  subscription.dispose();
  health.callBegan(0);
  assert.equal(changes, 3);
});

test('the lines say what has happened and nothing else', () => {
  const time = (at: number): string => `T${at}`;
  const health = recorder();
  assert.deepEqual(healthLines(health.figures, time), []);
  health.callBegan(1);
  health.callEnded(3.123);
  assert.deepEqual(healthLines(health.figures, time), [
    ['Calls', '1, the last at T1'],
    ['The last answer took', '3.1 ms'],
  ]);
  health.callBegan(2);
  health.callEnded(1234.5);
  health.callBegan(3);
  health.callEnded('failed');
  health.callBegan(4);
  health.restarted(5, 'ended with exit code 7');
  health.restarted(6, 'ended with signal SIGKILL');
  assert.deepEqual(healthLines(health.figures, time), [
    ['Calls', '4, 1 running, 1 failed, the last at T4'],
    ['The last 2 answers took', '619 ms (median), 1235 ms at most'],
    ['Restarts by itself', '2, the last at T6: ended with signal SIGKILL'],
  ]);
});
