import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Workspace,
  expandRow,
  invokeTool,
  npmServer,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
} from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { freePort } from '../freePort.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
const neverAsk = { confirm: 'never' };

before(async () => {
  const servers = {
    exits: testServer('crashOnStart'),
    silent: { ...testServer('neverAnswers'), timeouts: { connect: 2 } },
    missing: { command: 'mcp-server-that-nobody-has' },
    refuses: { url: `http://127.0.0.1:${await freePort()}/mcp` },
    typo: { comand: 'node' },
    works: { ...npmServer('server-memory'), ...neverAsk },
    crashes: { ...testServer('crashMidCall'), ...neverAsk },
  };
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': servers },
  });
  window = await session.openWindow(workspace.folder);
  await openServersView(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

test('each server that cannot be used shows its own reason, and the others work', async () => {
  const reasons: Readonly<Record<string, RegExp>> = {
    exits: /^ended with exit code 3(; given up)?$/,
    silent: /^no answer within 2 s(; given up)?$/,
    missing: /^command not found: mcp-server-that-nobody-has$/,
    refuses: /^connection refused$/,
    typo: /its settings need a correction/,
    works: /^10 tools$/,
  };
  for (const [server, reason] of Object.entries(reasons)) {
    const row = await rowWhen(window, server, ({ description }) => reason.test(description));
    assert.doesNotMatch(row.description, /undefined|\bat \S+:\d+/);
  }
  await expandRow(window, 'exits');
  await rowWhen(window, /ended with exit code 3 before it was ready.*API_KEY is not set/);
  await window.screenshot('sidebar-failures');
  await registeredTool(window, 'works__read_graph');
  assert.match(await invokeTool(window, 'works__read_graph', {}), /entities/);
});

test('a server that dies in a call gives the model one honest sentence', async () => {
  await registeredTool(window, 'crashes__crash');
  const answer = await invokeTool(window, 'crashes__crash', {});
  assert.match(
    answer,
    /^Error: The connection to the MCP server "crashes" was lost while the tool "crash" ran/,
  );
  assert.match(answer, /exit code 7/);
  assert.match(answer, /Whether the call took effect is unknown/);
  await rowWhen(window, 'crashes', ({ description }) => /ended with exit code 7/.test(description));
});

/** What shows when the mouse rests on the row of a server. */
async function tooltipOf(server: string): Promise<string> {
  const row = window.page.locator('.monaco-list-row', { hasText: server }).first();
  const hover = window.page.locator('.monaco-hover:visible', {
    hasText: new RegExp(`^\\s*${server}.*Launch`, 's'),
  });
  for (let attempt = 1; ; attempt++) {
    try {
      await window.page.mouse.move(0, 0);
      await row.hover({ timeout: 3_000 });
      await hover.waitFor({ timeout: 5_000 });
      await window.screenshot(`sidebar-health-${server}`);
      return (await hover.innerText({ timeout: 1_000 })).replaceAll(/\s+/g, ' ');
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

test('the row of a server shows how its calls went, also those after it was looked at', async () => {
  await registeredTool(window, 'works__read_graph');
  await invokeTool(window, 'works__read_graph', {});
  await rowWhen(window, 'crashes', ({ description }) => description === '1 tool');
  assert.match(
    await tooltipOf('crashes'),
    /Running since.*Calls: 1, 1 failed, the last at .*Restarts by itself: 1, the last at .*exit code 7/,
  );
  assert.match(
    await tooltipOf('works'),
    /Protocol: \S+ over stdio.*Process: \d+.*Calls: \d, the last at .*ms/,
  );
  await invokeTool(window, 'works__read_graph', {});
  await window.page.waitForTimeout(3500);
  assert.match(
    await tooltipOf('works'),
    /Calls: \d, the last at .*The last \d answers took: .*\(median\).*at most/,
  );
});

test('a tool of a server that is switched off says so instead of running', async () => {
  await window.evaluate(async (vscode) => {
    const settings = vscode.workspace.getConfiguration('mcpBridge');
    const servers = settings.inspect<Record<string, object>>('servers')?.globalValue ?? {};
    const works = { ...servers['works'], enabled: false };
    await settings.update('servers', { ...servers, works }, vscode.ConfigurationTarget.Global);
  });
  await rowWhen(window, 'works', ({ description }) => description === 'switched off');
  const answer = await invokeTool(window, 'mcp_bridge_call_tool', { name: 'works__read_graph' });
  assert.match(answer, /may not be called: the server is switched off/);
});
