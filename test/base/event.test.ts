import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../src/base/event.ts';
import { prefixed } from '../../src/base/log.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

test('every listener is told although one throws', () => {
  const errors: unknown[] = [];
  const seen: number[] = [];
  const emitter = new Emitter<number>((error) => errors.push(error));
  emitter.event(() => {
    throw new Error('bad listener');
  });
  emitter.event((value) => seen.push(value));
  emitter.fire(1);
  assert.deepEqual([seen, errors], [[1], [new Error('bad listener')]]);
});

test('one function can listen twice, and each subscription ends by itself', () => {
  const seen: number[] = [];
  const emitter = new Emitter<number>(assert.ifError);
  const listen = (value: number): void => void seen.push(value);
  const first = emitter.event(listen);
  emitter.event(listen);
  emitter.fire(1);
  first.dispose();
  emitter.fire(2);
  emitter.dispose();
  emitter.fire(3);
  assert.deepEqual(seen, [1, 1, 2]);
});

test('a listener that unsubscribes another during the event does not upset it', () => {
  const seen: string[] = [];
  const emitter = new Emitter<void>(assert.ifError);
  emitter.event(() => {
    seen.push('first');
    second.dispose();
  });
  const second = emitter.event(() => void seen.push('second'));
  emitter.fire();
  emitter.fire();
  assert.deepEqual(seen, ['first', 'second', 'first']);
});

test('a prefixed logger marks every level', () => {
  const log = new RecordingLogger();
  const child = prefixed(log, 'github');
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) child[level]('text');
  assert.deepEqual(
    log.lines,
    ['trace', 'debug', 'info', 'warn', 'error'].map((level) => `${level}: [github] text`),
  );
});
