import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionState } from '../../../src/core/servers/connectionState.ts';
import { statusText } from '../../../src/core/servers/serverStatus.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

test('a server that does not run says what it does', () => {
  const status = (state: ConnectionState, tools?: string[], members = {}): string => {
    const [server] = buildCatalog([serverOf(configurationOf('s', members), tools, state)]).servers;
    return server === undefined ? '' : statusText(server);
  };
  const failed = { kind: 'error', since: 0, code: 'timedOut', message: 'Long.' } as const;
  assert.deepEqual(
    [
      status({ kind: 'starting', since: 0 }),
      status({ kind: 'starting', since: 0, isQueued: true }, ['x']),
      status({ kind: 'stopped' }),
      status({ kind: 'stopped', since: 1, isIdle: true }, ['x', 'y']),
      status({ kind: 'stopped', since: 1, isIdle: true }, ['x'], { start: 'manual' }),
      status({ kind: 'stopped', since: 1 }, ['x'], { start: 'manual' }),
      status({ kind: 'stopped', since: 1, isIdle: true }, ['x'], { enabled: false }),
      status({ ...failed, summary: 'ended with exit code 3; given up', isGivenUp: true }, ['x']),
    ],
    [
      'starting…',
      'waiting to start…',
      'stopped',
      'stopped while idle · 2 tools',
      'stopped while idle · 1 tool',
      'stopped',
      'switched off',
      'ended with exit code 3; given up',
    ],
  );
});

test('a server says how many of its tools can be used, and how many have no room', () => {
  const running = {
    kind: 'running',
    since: 0,
    protocolVersion: '2025-06-18',
    transport: 'stdio',
  } as const;
  const catalog = buildCatalog(
    [
      serverOf(configurationOf('a'), ['x'], running),
      serverOf(configurationOf('b', { deny: ['x'] }), ['x', 'y', 'z', 'w'], running),
      serverOf(configurationOf('c', { expose: 'search' }), ['x', 'y'], running),
      serverOf(configurationOf('d'), ['x', 'y'], { kind: 'stopped' }),
    ],
    4,
  );
  assert.deepEqual(catalog.servers.map(statusText), [
    '1 tool',
    '3 of 4 tools, 1 by search',
    '2 tools',
    'stopped · 2 tools, 1 by search',
  ]);
});
