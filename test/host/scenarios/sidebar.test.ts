import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'jsonc-parser';
import type { Locator } from 'playwright-core';
import {
  Workspace,
  expandRow,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
} from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { freePort } from '../freePort.ts';
import { dialogText, pressInDialog } from '../modalDialog.ts';
import { answerQuickInput, waitForQuickInputLabels } from '../quickInput.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({ vsix: [await packageExtension()] });
  window = await session.openWindow(workspace.folder);
  await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openServersView(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** Moves the mouse over a row and does something there; anew when the view was drawn anew meanwhile. */
async function over<T>(row: Locator, act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      await window.page.mouse.move(0, 0);
      await row.hover({ timeout: 3_000 });
      return await act();
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** Presses a button that shows on a row under the mouse. */
async function pressOn(row: Locator, name: string): Promise<void> {
  await over(row, () => row.getByRole('button', { name }).click({ timeout: 3_000 }));
}

test('an empty view says how to begin, and adding a server writes a working entry', async () => {
  const { page } = window;
  await page.getByText('No MCP server is configured yet.').waitFor({ timeout: 10_000 });
  await window.screenshot('sidebar-welcome');
  await page.getByRole('button', { name: 'Add Server', exact: true }).click();
  await answerQuickInput(window, 'What kind of server', 'Program');
  const { command, args } = testServer('labelled', 'added', 'work');
  await answerQuickInput(window, 'Command that starts the server', [command, ...args].join(' '));
  await answerQuickInput(window, 'Where should the entry be written', 'Workspace');
  await answerQuickInput(window, 'Name of the server', 'mine');
  assert.match(await dialogText(window), /want to start the MCP server "mine"/);
  await pressInDialog(window, 'Approve');
  await registeredTool(window, 'mine__work');
  await rowWhen(window, 'mine', ({ description }) => description === '1 tool');
  assert.deepEqual(JSON.parse(await workspace.readSettings()), {
    'mcpBridge.servers': { mine: { command, args } },
  });
});

test('a server that is added to a file with comments leaves them alone', async () => {
  const settings = await window.evaluate(async (vscode) => {
    const [file] = await vscode.workspace.findFiles('.vscode/settings.json');
    if (file === undefined) throw new Error('no settings file');
    const document = await vscode.workspace.openTextDocument(file);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(file, new vscode.Position(1, 0), '  // keep me\n  "editor.tabSize": 3,\n');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    return document.getText();
  });
  assert.match(settings, /keep me/);
  const port = await freePort();
  const running = window.run('mcpBridge.addServer');
  await answerQuickInput(window, 'What kind of server', 'Remote');
  await answerQuickInput(window, 'Address of the server', `http://127.0.0.1:${port}/mcp`);
  await answerQuickInput(window, 'Where should the entry be written', 'Workspace');
  await answerQuickInput(window, 'Name of the server', 'far');
  await running;
  assert.match(await dialogText(window), /want to connect to the MCP server "far"/);
  await pressInDialog(window, 'Approve');
  const text = await workspace.readSettings();
  assert.match(text, /\/\/ keep me\n {2}"editor.tabSize": 3,/);
  assert.match(text, /"far": \{\s+"type": "http",\s+"url": "http:\/\/127\.0\.0\.1:\d+\/mcp"\s+\}/);
  await rowWhen(window, 'far', ({ description }) => /^connection refused$/.test(description));
});

test('servers of another client are added from the clipboard, with the inputs they need', async () => {
  const copied = `{
    // from a team
    "inputs": [{ "type": "promptString", "id": "token", "password": true }],
    "servers": {
      "first": { "command": "node", "enabled": false, "env": { "TOKEN": "\${input:token}" } },
      "second": { "url": "https://mcp.example.com/mcp", "enabled": false },
    },
  }`;
  await window.evaluate((vscode, text) => vscode.env.clipboard.writeText(text), copied);
  const running = window.run('mcpBridge.addServer');
  await answerQuickInput(window, 'What kind of server', 'clipboard');
  await waitForQuickInputLabels(window, ['first', 'second']);
  await window.screenshot('sidebar-clipboard');
  await window.page.keyboard.press('Enter');
  await answerQuickInput(window, 'Where should the entry be written', 'Workspace');
  await running;
  const settings = parse(await workspace.readSettings()) as Record<string, object>;
  assert.deepEqual(settings['mcpBridge.inputs'], [
    { type: 'promptString', id: 'token', password: true },
  ]);
  const { first, second } = settings['mcpBridge.servers'] as Record<string, object>;
  assert.deepEqual(first, {
    ...{ command: 'node', enabled: false },
    env: { TOKEN: '${input:token}' },
  });
  assert.deepEqual(second, { url: 'https://mcp.example.com/mcp', enabled: false });
  await rowWhen(window, 'second', ({ description }) => description === 'switched off');
});

test('rows stop, start and copy, and lead to their settings and to the log', async () => {
  const { page } = window;
  await window.run('mcpBridge.stopServer', 'mine');
  await rowWhen(window, 'mine', ({ description }) => description === 'stopped · 1 tool');
  const row = page.locator('.monaco-list-row', { hasText: 'mine' }).first();
  await pressOn(row, 'Start Server');
  await rowWhen(window, 'mine', ({ description }) => description === '1 tool');

  await expandRow(window, 'mine');
  const tool = page.locator('.monaco-list-row', { hasText: 'mine__work' }).first();
  const hover = page.locator('.monaco-hover:visible', { hasText: 'Input schema' });
  const text = await over(tool, async () => {
    await hover.waitFor({ timeout: 5_000 });
    await window.screenshot('sidebar-hover');
    return hover.innerText({ timeout: 1_000 });
  });
  const shown = text.replaceAll(/\s+/g, ' ');
  assert.match(shown, /work of added/);
  assert.match(shown, /Name for agents: mine__work/);
  assert.match(shown, /Approval: asks before each call/);
  await pressOn(tool, 'Copy Tool Name');
  await window.waitFor('the name on the clipboard', async (vscode) => {
    return (await vscode.env.clipboard.readText()) === 'mine__work';
  });

  await pressOn(row, 'Open Settings of Server');
  const selected = await window.waitFor('the entry in the settings file', (vscode) => {
    const editor = vscode.window.activeTextEditor;
    const line = editor?.document.lineAt(editor.selection.active.line).text;
    return line?.includes('"mine"') && editor?.document.fileName;
  });
  assert.match(String(selected), /settings\.json$/);
  await window.run('mcpBridge.showLog');
  await page.getByText('[mine] running: stdio').first().waitFor({ timeout: 10_000 });
  await window.screenshot('sidebar-log');
});
