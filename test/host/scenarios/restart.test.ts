import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from '../agent.ts';
import {
  Workspace,
  invokeTool,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
  toolsOffered,
} from '../bridgeProbe.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

test('after a restart the tools are offered from the cache, and the first call starts the server', async () => {
  await using workspace = await Workspace.create();
  const server = { ...testServer('labelled', 'late', 'work'), start: 'onUse', confirm: 'never' };
  const session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { late: server } },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    await openServersView(window);
    await rowWhen(window, 'late', ({ description }) => description === 'stopped');
    // The person starts it once; from then on its tools are known.
    await window.run('mcpBridge.startServer', 'late');
    await registeredTool(window, 'late__work');
    await rowWhen(window, 'late', ({ description }) => description === '1 tool');

    await window.reload();
    await openServersView(window);
    await rowWhen(window, 'late', ({ description }) => description === 'stopped · 1 tool');
    const agent = await Agent.open(window);
    const offered = await toolsOffered(agent);
    assert.equal(offered.get('late__work')?.description, 'work of late');
    await rowWhen(window, 'late', ({ description }) => description === 'stopped · 1 tool');

    assert.match(await invokeTool(window, 'late__work', {}), /^work ran on late, process \d+$/);
    await rowWhen(window, 'late', ({ description }) => description === '1 tool');

    // What a person stopped, no call starts again.
    await window.run('mcpBridge.stopServer', 'late');
    await rowWhen(window, 'late', ({ description }) => description === 'stopped · 1 tool');
    const answer = await invokeTool(window, 'late__work', {});
    assert.match(answer, /^Error: The MCP server "late" is not available: the user stopped it/);
    await window.run('mcpBridge.startServer', 'late');
    assert.match(await invokeTool(window, 'late__work', {}), /^work ran on late/);
  } finally {
    await session.close();
  }
});
