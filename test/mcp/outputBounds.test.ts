import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JunkLimit } from '../../src/mcp/junkLimit.ts';
import { OutputLog } from '../../src/mcp/outputLog.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { openFailure } from '../support/sessions.ts';

test('a burst of lines is logged, then few a second, and what is left out is told', () => {
  let now = 0;
  const log = new RecordingLogger();
  const output = new OutputLog(log, 'stderr', () => now);
  for (let line = 0; line < 1000; line++) output.push(`line ${line}`);
  assert.deepEqual([log.lines.length, log.lines.at(-1)], [200, 'info: stderr: line 199']);
  now = 2000;
  for (let line = 0; line < 1000; line++) output.push('more');
  assert.equal(log.lines[200], 'info: stderr: (too much to log: 7200 characters left out)');
  assert.equal(log.lines.length, 200 + 1 + 20);
  output.flush();
  output.flush();
  assert.deepEqual(log.lines.slice(221), [
    'info: stderr: (too much to log: 4900 characters left out)',
  ]);
  now = 3_600_000;
  for (let line = 0; line < 1000; line++) output.push('again');
  assert.equal(log.lines.length, 222 + 200);
});

test('long lines are cut, and count by their length', () => {
  const log = new RecordingLogger();
  const output = new OutputLog(log, 'stdout', () => 0);
  for (let line = 0; line < 100; line++) output.push('x'.repeat(10_000));
  assert.ok(log.lines.every((line) => line.length < 2020) && log.lines.length === 33);
});

test('junk is endured up to a limit within a time, and beyond it the reason is told', () => {
  let now = 0;
  const limit = new JunkLimit(() => now);
  const add = (times: number, bytes: number): (string | undefined)[] =>
    Array.from({ length: times }, () => limit.add(bytes)).filter((reason) => reason !== undefined);
  assert.deepEqual(add(10_000, 10), []);
  now = 10_001;
  assert.deepEqual(add(10_000, 10), []);
  assert.match(add(1, 10)[0] ?? '', /more than 10000 lines to stdout within 10 s/);
  now = 20_002;
  assert.deepEqual(add(4, 256 * 1024), []);
  assert.match(add(1, 1)[0] ?? '', /more than 1048576 bytes to stdout/);
});

test('a program that only floods stdout is stopped, and it is told why', async () => {
  const mark = new ProcessMark();
  const { env, cwd = '/' } = launchOf('echo', mark);
  const programs: readonly (readonly [script: string, says: RegExp])[] = [
    ['yes "no message"', /not ready yet: it was stopped because .* more than 10000 lines/],
    [`yes "$(head -c 60000 /dev/zero | tr '\\0' x)"`, /more than 1048576 bytes to stdout/],
    ['cat /dev/zero', /wrote a line without end to stdout/],
  ];
  for (const [script, says] of programs) {
    const launch = { type: 'stdio', command: 'sh', args: ['-c', script], env, cwd } as const;
    const { code, message } = await openFailure(launch);
    assert.deepEqual([code, says.test(message)], ['handshakeFailed', true], message);
  }
  await mark.assertGone();
});
