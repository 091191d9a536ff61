import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusSummary, summaryText } from '../../../src/core/servers/statusSummary.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

const error = { kind: 'error', since: 0, code: 'unreachable', summary: '', message: '' } as const;

test('counts servers by state and tools by how they are reached', () => {
  const running = { kind: 'running', since: 0, protocolVersion: '1', transport: 'stdio' } as const;
  const servers = [
    serverOf(configurationOf('a', { deny: ['two'] }), ['one', 'two', 'three'], running),
    serverOf('b', ['one'], error),
    serverOf(configurationOf('c', { expose: 'search' }), ['one']),
    serverOf(configurationOf('d', { enabled: false }), ['one']),
    serverOf('e', [], { kind: 'starting', since: 0 }),
  ];
  const summary = statusSummary(buildCatalog(servers, 2), 1);
  assert.deepEqual(summary, {
    running: 1,
    starting: 1,
    stopped: 2,
    failed: 2,
    offered: 2,
    searched: 2,
    leftOut: 2,
    withoutRoom: 1,
  });
  assert.equal(
    summaryText(summary),
    'Servers: 1 running, 1 starting, 2 not working, 2 stopped. Tools: 2 offered, 2 by search, 2 left out.',
  );
});

test('nothing configured is nothing counted', () => {
  assert.equal(summaryText(statusSummary(undefined, 0)), 'Servers: none. Tools: none.');
});
