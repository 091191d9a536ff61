import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusText } from '../../../src/core/servers/serverStatus.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

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
