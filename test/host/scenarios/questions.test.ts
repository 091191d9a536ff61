import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Workspace, invokeTool, registeredTool, testServer } from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { dialogText, pressInDialog } from '../modalDialog.ts';
import { answerQuickInput, waitForQuickInputLabels } from '../quickInput.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { asks: { ...testServer('asks'), confirm: 'never' } } },
  });
  window = await session.openWindow(workspace.folder);
  await registeredTool(window, 'asks__form');
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** What the server was answered. */
async function answered(tool: string): Promise<unknown> {
  return JSON.parse(await invokeTool(window, `asks__${tool}`, {})) as unknown;
}

test('a server that asks for roots is told the folders of the window', async () => {
  assert.deepEqual(await answered('roots'), {
    result: {
      roots: [
        {
          uri: pathToFileURL(workspace.folder).href,
          name: workspace.folder.split('/').at(-1),
        },
      ],
    },
  });
});

test('a question of a server is answered field by field, and sent after a last look', async () => {
  const calling = answered('form');
  await waitForQuickInputLabels(window, ['Answer…', 'Decline']);
  await window.screenshot('question-form');
  await window.page.keyboard.press('Enter');
  await answerQuickInput(window, 'name', 'Ada');
  await waitForQuickInputLabels(window, ['Send', 'Decline']);
  await window.page.keyboard.press('Enter');
  assert.deepEqual(await calling, { result: { action: 'accept', content: { name: 'Ada' } } });
});

test('a question that is declined, or closed, says so to the server', async () => {
  const declining = answered('form');
  await answerQuickInput(window, 'Who are you?', 'Decline');
  assert.deepEqual(await declining, { result: { action: 'decline' } });
  const closing = answered('link');
  await waitForQuickInputLabels(window, ['Open a.example', 'Decline']);
  await window.page.keyboard.press('Escape');
  assert.deepEqual(await closing, { result: { action: 'cancel' } });
});

test('a language model answers a server after the person saw what it is asked', async () => {
  // A server may ask only three times a minute; a new session begins anew.
  await window.run('mcpBridge.restartServer', 'asks');
  const refusing = answered('model');
  assert.match(
    await dialogText(window),
    /Let the MCP server "asks" use the language model [^]*Say hi\./,
  );
  await window.screenshot('question-model');
  await pressInDialog(window, 'Cancel');
  assert.match(JSON.stringify(await refusing), /The user refused/);
});
