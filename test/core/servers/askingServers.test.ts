import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskingServers } from '../../../src/core/servers/askingServers.ts';
import type { McpServers } from '../../../src/core/servers/mcpServers.ts';
import { stubServers } from '../../support/stubServers.ts';

const { signal } = new AbortController();
const request = { serverId: 's', signal };

/** What asks for values first, and whether that is for a call. */
const asking: Readonly<
  Record<string, readonly [(servers: McpServers) => unknown, isCall: boolean]>
> = {
  start: [(servers) => servers.start('s'), false],
  restart: [(servers) => servers.restart('s'), false],
  callTool: [(servers) => servers.callTool({ ...request, tool: 't', arguments: {} }), true],
  readResource: [(servers) => servers.readResource({ ...request, uri: 'x://y' }), true],
  getPrompt: [
    (servers) => servers.getPrompt({ ...request, prompt: 'p', arguments: new Map() }),
    true,
  ],
};

for (const [name, [act, isCall]] of Object.entries(asking)) {
  test(`${name} goes on when the person was asked for what is missing`, async () => {
    const order: string[] = [];
    const answer = { kind: 'answer', result: {} } as const;
    const inner = stubServers({
      [name]: async () => {
        order.push(name);
        return answer;
      },
    });
    const servers = new AskingServers(inner, async (id, given) => {
      assert.equal(id, 's');
      assert.equal(given, isCall ? signal : undefined);
      await Promise.resolve();
      order.push('asked');
    });
    await act(servers);
    assert.deepEqual(order, ['asked', name]);
  });
}

test('a call that is given up while the person is asked is not made', async () => {
  const servers = new AskingServers(stubServers({}), () => Promise.reject(new Error('given up')));
  await assert.rejects(servers.callTool({ ...request, tool: 't', arguments: {} }), /given up/);
});

test('stopping asks for nothing', async () => {
  let isStopped = false;
  const inner = stubServers({
    stop: async () => {
      isStopped = true;
    },
  });
  await new AskingServers(inner, () => assert.fail()).stop('s');
  assert.ok(isStopped);
});
