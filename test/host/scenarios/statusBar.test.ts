import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Workspace, openServersView, testServer } from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { eventually } from '../../support/eventually.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

const secret = 'Hn4-value-of-a-secret-7Qx';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.servers': {
        annotated: { ...testServer('annotated', '--token', secret), env: { KEY: secret } },
        missing: { command: 'no-such-program-here' },
        wrong: { command: 'node', start: 'later' },
      },
    },
  });
  window = await session.openWindow(workspace.folder);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

const item = () => window.page.locator('[id="mcp-bridge.mcp-bridge.mcpBridge.status"]');

test('the status bar counts what runs and what does not', async () => {
  const wanted = /Servers: 1 running, 2 not working\. Tools: 5 offered\. 5 of \d+ places/;
  await eventually(
    'the counts of all servers',
    async () => wanted.test((await item().locator('a').getAttribute('aria-label')) ?? ''),
    20_000,
  );
  await item().locator('.codicon-error').waitFor();
});

test('its menu shows every server, and leads to it', async () => {
  await item().locator('a').click();
  const menu = window.page.locator('.quick-input-widget');
  await menu.getByText('command not found: no-such-program-here').waitFor();
  await menu.getByText('its settings need a correction').waitFor();
  await window.screenshot('status-menu');
  await menu.getByText('annotated', { exact: false }).first().click();
  const row = window.page.locator('.monaco-list-row.selected', { hasText: 'annotated' });
  await row.waitFor({ timeout: 10_000 });
});

test('the report says how every server is doing, and holds no secret', async () => {
  await openServersView(window);
  await window.run('mcpBridge.report');
  const text = await window.waitFor('the report', (vscode) => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.languageId === 'markdown' ? document.getText() : undefined;
  });
  await window.screenshot('report');
  assert.match(text, /## Server ` annotated `/);
  assert.match(text, /spawnFailed: The command "no-such-program-here" was not found/);
  assert.match(text, /wrong\.start/);
  assert.match(text, /\[annotated\] running: stdio/);
  assert.ok(!text.includes(secret));
});
