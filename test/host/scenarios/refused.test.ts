import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from '../agent.ts';
import { Workspace, openServersView, rowWhen, testServer } from '../bridgeProbe.ts';
import { toolResultsIn } from '../scriptedModel.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

test('where declaring tools is refused one message says so, and the meta-tools serve', async () => {
  await using workspace = await Workspace.create();
  const session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'extensions.allowed': { 'mcp-bridge': true, 'mcp-bridge-test': true, github: true },
      'mcpBridge.servers': {
        one: { ...testServer('labelled', 'one', 'work'), confirm: 'never' },
        two: { ...testServer('labelled', 'two', 'rest'), confirm: 'never' },
      },
    },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    await openServersView(window);
    await rowWhen(window, 'one', ({ description }) => description === '1 tool');
    await rowWhen(window, 'two', ({ description }) => description === '1 tool');
    const messages = window.page.locator('.notification-toast', {
      hasText: 'This editor does not let MCP Bridge declare tools',
    });
    await messages.first().waitFor({ timeout: 20_000 });
    await window.screenshot('refused');
    assert.equal(await messages.count(), 1, 'said once, not once per server');
    const agent = await Agent.open(window);
    const turn = await agent.ask('Do the work.', {
      answers: [
        [{ toolCall: { name: 'mcp_bridge_find_tools', input: { query: 'work' } } }],
        [{ toolCall: { name: 'mcp_bridge_call_tool', input: { name: 'one__work' } } }],
        [{ text: 'Worked.' }],
      ],
    });
    const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
    assert.match(results.at(-1)?.text ?? '', /^work ran on one/);
  } finally {
    await session.close();
  }
});
