import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event.ts';
import { JoinedServers } from '../../../src/core/servers/joinedServers.ts';
import type { McpServers } from '../../../src/core/servers/mcpServers.ts';
import { serverOf } from '../../support/builders.ts';

/** A source with servers of the given keys that notes what it is told. */
function sourceOf(label: string, keys: readonly string[], told: string[]) {
  const changes = new Emitter<void>((error) => assert.fail(String(error)));
  const note = (order: string) => (id: string) => {
    told.push(`${label} ${order} ${id}`);
    return Promise.resolve();
  };
  const source: McpServers = {
    servers: keys.map((key) => serverOf(key, ['tool'])),
    onDidChangeServers: changes.event,
    start: note('start'),
    stop: note('stop'),
    restart: note('restart'),
    refresh: note('refresh'),
    callTool: async ({ serverId, tool }) => {
      await note(`call ${tool}`)(serverId);
      return { kind: 'answer', result: label };
    },
    readResource: async ({ serverId }) => {
      await note('read')(serverId);
      return { kind: 'answer', result: label };
    },
    getPrompt: () => assert.fail(),
    complete: () => assert.fail(),
  };
  return { source, changes };
}

const call = { tool: 't', arguments: {}, signal: new AbortController().signal };

test('each order goes to the source that has the server', async () => {
  const told: string[] = [];
  const left = sourceOf('left', ['a', 'b'], told);
  const right = sourceOf('right', ['c'], told);
  const joined = new JoinedServers([left.source, right.source]);
  assert.deepEqual(
    joined.servers.map(({ configuration }) => configuration.key),
    ['a', 'b', 'c'],
  );
  await joined.start('user/a');
  await joined.stop('user/c');
  await joined.restart('user/b');
  await joined.refresh('user/c');
  await joined.start('user/gone');
  const answers = [
    await joined.callTool({ ...call, serverId: 'user/c' }),
    await joined.callTool({ ...call, serverId: 'user/gone' }),
  ];
  assert.deepEqual(told, [
    'left start user/a',
    'right stop user/c',
    'left restart user/b',
    'right refresh user/c',
    'right call t user/c',
  ]);
  assert.deepEqual(answers, [
    { kind: 'answer', result: 'right' },
    {
      kind: 'failure',
      code: 'stopped',
      message: 'The MCP server this was meant for was removed, so it was not asked.',
    },
  ]);
});

test('a change of any source is told until the subscription ends', () => {
  const left = sourceOf('left', [], []);
  const right = sourceOf('right', [], []);
  let count = 0;
  const subscription = new JoinedServers([left.source, right.source]).onDidChangeServers(() => {
    count += 1;
  });
  left.changes.fire();
  right.changes.fire();
  subscription.dispose();
  left.changes.fire();
  right.changes.fire();
  assert.equal(count, 2);
});
