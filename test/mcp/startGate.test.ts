import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { StartGate, type Turn } from '../../src/mcp/startGate.ts';

/** Starts that queue up at a gate in the order of their numbers. */
function starts(gate: StartGate, count: number) {
  const all = Array.from({ length: count }, () => {
    const abort = new AbortController();
    return { abort, turn: gate.turn(abort.signal) };
  });
  for (const { turn } of all) void turn.enter();
  return {
    all,
    turn: (index: number): Turn => all[index]?.turn ?? assert.fail(),
    admitted: () => all.flatMap(({ turn }, index) => (turn.isAdmitted ? [index] : [])),
  };
}

test('only some start at a time, the others follow in their order', () => {
  const { all, turn, admitted } = starts(new StartGate(2), 5);
  assert.deepEqual(admitted(), [0, 1]);
  turn(1).end();
  turn(1).end();
  assert.deepEqual(admitted(), [0, 1, 2]);
  // Stopped while it waits: it leaves the queue and takes no place.
  all[3]?.abort.abort();
  turn(0).end();
  assert.deepEqual(admitted(), [0, 1, 2, 3, 4]);
  turn(2).end();
  turn(4).end();
});

test('a start that somebody waits for goes ahead, and takes no place of the others', () => {
  const gate = new StartGate(1);
  const { turn, admitted } = starts(gate, 4);
  turn(3).hurry();
  assert.deepEqual(admitted(), [0, 3]);
  turn(3).end();
  assert.deepEqual(admitted(), [0, 3]);
  const other = gate.turn(new AbortController().signal);
  other.hurry();
  void other.enter();
  assert.ok(other.isAdmitted);
  turn(0).end();
  assert.deepEqual(admitted(), [0, 1, 3]);
});

test('a start that hangs keeps its place for a while only', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { turn, admitted } = starts(new StartGate(1, 8000), 3);
    mock.timers.tick(7999);
    assert.deepEqual(admitted(), [0]);
    mock.timers.tick(1);
    assert.deepEqual(admitted(), [0, 1]);
    // It has given its place back already: not once more.
    turn(0).end();
    assert.deepEqual(admitted(), [0, 1]);
    turn(1).end();
    assert.deepEqual(admitted(), [0, 1, 2]);
  } finally {
    mock.timers.reset();
  }
});

test('who waits is told, also when the start is given up', async () => {
  const gate = new StartGate(1);
  const first = gate.turn(new AbortController().signal);
  await first.enter();
  const abort = new AbortController();
  const second = gate.turn(abort.signal);
  const entering = second.enter();
  abort.abort();
  await entering;
  await gate.turn(AbortSignal.abort()).enter();
  first.end();
  await gate.turn(new AbortController().signal).enter();
});
