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
    exits: /^ended with exit code 3$/,
    silent: /^no answer within 2 s$/,
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
