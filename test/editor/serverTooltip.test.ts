import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionState } from '../../src/core/servers/connectionState.ts';
import { HealthRecorder } from '../../src/core/servers/serverHealth.ts';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import { serverOf } from '../support/builders.ts';
import { useFakeVscode } from '../support/fakeVscode.ts';

useFakeVscode();
const { serverTooltip } = await import('../../src/editor/tooltips.ts');

const now = new Date(2026, 5, 15, 18, 0, 0).getTime();
const at = new Date(2026, 5, 15, 9, 30, 0).getTime();
const clock = new Date(at).toLocaleTimeString();

/** The lines of the tooltip of a server in that state. */
function lines(state: ConnectionState, health?: HealthRecorder, shownAt = now): string[] {
  const server = { ...serverOf('s', ['x'], state), ...(health && { health }) };
  const [shown] = buildCatalog([server]).servers;
  assert.ok(shown !== undefined);
  return serverTooltip(shown, shownAt)
    .value.split(/\n+/)
    .filter((line) => line !== '');
}

const running: ConnectionState = {
  kind: 'running',
  since: at,
  protocolVersion: '2025-11-25',
  transport: 'stdio',
  pid: 7,
  serverInfo: { name: 'srv', version: '1.2' },
};

test('a running server shows what it is and how its calls went, as of when it is looked at', () => {
  const health = new HealthRecorder(() => assert.fail());
  const about = ['Prefix of its tools: s__', 'Launch: s', 'Settings: user'];
  const own = [
    '**s**',
    `Running since: ${clock}`,
    'Protocol: 2025-11-25 over stdio',
    'Server: srv 1.2',
    'Process: 7',
  ];
  assert.deepEqual(lines(running, health), [...own, ...about]);
  health.callBegan(at);
  health.callEnded(12);
  health.restarted(at, 'ended with exit code 7');
  assert.deepEqual(lines(running, health), [
    ...own,
    `Calls: 1, the last at ${clock}`,
    'The last answer took: 12 ms',
    `Restarts by itself: 1, the last at ${clock}: ended with exit code 7`,
    ...about,
  ]);
});

test('a time of another day has its date', () => {
  const [, since] = lines(running, undefined, now + 24 * 3_600_000);
  assert.equal(since, `Running since: ${new Date(at).toLocaleString()}`);
});

test('every other state says what is going on and what comes next', () => {
  const failed = { kind: 'error', since: at, code: 'timedOut', summary: 'late' } as const;
  const retryAt = at + 4000;
  const states: readonly (readonly [ConnectionState, readonly string[]])[] = [
    [{ kind: 'stopped' }, ['Not started yet.']],
    [{ kind: 'stopped', since: at }, [`Stopped since: ${clock}`]],
    [
      { kind: 'stopped', since: at, isIdle: true },
      [
        `Stopped since: ${clock}`,
        'It was not used for a while (`idleStop`). The next call starts it.',
      ],
    ],
    [{ kind: 'starting', since: at }, [`Starting since: ${clock}`]],
    [
      { kind: 'starting', since: at, isQueued: true },
      [
        `Waiting to start since: ${clock}`,
        'Other servers start first. A call, or *Start Server*, starts it now.',
      ],
    ],
    [
      { ...failed, message: 'Too late.', retryAt },
      [
        'Too late.',
        `Failed at: ${clock}`,
        `Started again at: ${new Date(retryAt).toLocaleTimeString()}`,
      ],
    ],
    [
      { ...failed, message: 'Not started again.', isGivenUp: true },
      ['Not started again.', `Failed at: ${clock}`],
    ],
  ];
  for (const [state, expected] of states) {
    assert.deepEqual(lines(state).slice(1, -3), expected);
  }
});
