import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CodeAction } from 'vscode';
import { Workspace, openServersView, rowWhen, testServer } from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

/** Laid over a server of the user settings by those of the workspace. */
const overlay = { deny: ['wi*', 'no_such_*'] };
const unset = { command: 'node', env: { TOKEN: '${env:NO_SUCH_VARIABLE}', PLACE: '${env:HOME}' } };

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;

before(async () => {
  workspace = await Workspace.create({ annotated: overlay, unset });
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.servers': {
        wrong: { command: 'node', start: 'later' },
        annotated: testServer('annotated'),
        missing: { command: 'no-such-program-here' },
      },
    },
  });
  window = await session.openWindow(workspace.folder);
  await openServersView(window);
  await rowWhen(window, 'annotated', ({ description }) => description.includes('tool'));
  await window.run('workbench.action.openSettingsJson');
  await window.run('workbench.action.closeSidebar');
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** Waits until the lens of a line shows the text, and gives it. Lenses of one line stand in one row. */
async function lensesWith(key: string, text: string | RegExp): Promise<string> {
  await window.evaluate((vscode, name: string) => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) throw new Error('No file is open.');
    const start = editor.document.positionAt(editor.document.getText().indexOf(`"${name}": {`));
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenter);
  }, key);
  const row = window.page.locator('.codelens-decoration', { hasText: text }).first();
  await row.waitFor({ timeout: 20_000 });
  return row.innerText();
}

/** Waits until the given texts of the file are marked, and gives all that are. */
function marksAt(texts: string[]): Promise<string[]> {
  return window.waitFor(
    `marks at ${texts.join()}`,
    (vscode, wanted: string[]) => {
      const document = vscode.window.activeTextEditor?.document;
      const marked = vscode.languages
        .getDiagnostics(document?.uri ?? vscode.Uri.file('/none'))
        .filter(({ source }) => source === 'MCP Bridge')
        .map(({ range }) => document?.getText(range) ?? '');
      return wanted.every((text) => marked.includes(text)) ? marked : undefined;
    },
    texts,
  );
}

interface Asked {
  readonly label?: string | { readonly label: string };
  readonly contents?: readonly { readonly value?: string }[];
}

/** Labels of what is proposed, or the text of the hover, right behind the first place of a text in the file. */
function askedAt(what: 'Completion' | 'Hover', text: string): Promise<string[]> {
  return window.evaluate(
    async (vscode, kind: string, place: string) => {
      const editor = vscode.window.activeTextEditor;
      if (editor === undefined) throw new Error('No file is open.');
      const { document } = editor;
      const position = document.positionAt(document.getText().indexOf(place) + place.length);
      const found = await vscode.commands.executeCommand(
        kind === 'Hover' ? 'vscode.executeHoverProvider' : 'vscode.executeCompletionItemProvider',
        document.uri,
        position,
      );
      const items = Array.isArray(found) ? (found as Asked[]) : (found as { items: Asked[] }).items;
      return items.flatMap((item: Asked) =>
        item.contents === undefined
          ? [typeof item.label === 'string' ? item.label : (item.label?.label ?? '')]
          : item.contents.map(({ value = '' }) => value.replaceAll('&nbsp;', ' ')),
      );
    },
    what,
    text,
  );
}

test('lenses show the state of each server, and act on it', async () => {
  assert.match(await lensesWith('annotated', /\d of \d tools/), /Stop.*Restart/s);
  assert.match(await lensesWith('missing', 'command not found'), /Start.*Log/s);
  await lensesWith('wrong', 'its settings need a correction');
  await window.screenshot('settings-lenses');
  await window.page.locator('.codelens-decoration a', { hasText: 'Stop' }).first().click();
  const stopped = await lensesWith('annotated', /stopped · \d of \d tools/);
  assert.match(stopped, /Start/);
  await window.page.locator('.codelens-decoration a', { hasText: 'Start' }).first().click();
  await lensesWith('annotated', /^\s*\d of \d tools/);
});

test('what only the running server shows is marked at its place', async () => {
  await marksAt(['"no-such-program-here"', '"later"']);
  await window.evaluate(
    async (vscode, path: string) => {
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    },
    join(workspace.folder, '.vscode', 'settings.json'),
  );
  const marked = await marksAt(['"no_such_*"', '"${env:NO_SUCH_VARIABLE}"']);
  assert.ok(!marked.includes('"wi*"'), marked.join());
  await lensesWith('annotated', /changes "annotated" of the user settings/);
  await window.screenshot('settings-overlay');
});

test('names of tools and of variables are proposed', async () => {
  const names = await askedAt('Completion', '"no_');
  assert.ok(names.includes('files/write'), `${names.length} names`);
  const variables = await askedAt('Completion', '"PLACE": "${');
  assert.ok(variables.includes('${env:HOME}') && variables.includes('${workspaceFolder}'));
});

test('hovers say what a pattern, a variable and an entry stand for, and show no value', async () => {
  assert.match((await askedAt('Hover', '"wi')).join('\n'), /Matches 1 of \d+ tools/);
  const variable = (await askedAt('Hover', '"PLACE": "${env:H')).join('\n');
  assert.match(variable, /is set where the extensions run/);
  const unset = (await askedAt('Hover', '"TOKEN": "${env:NO')).join('\n');
  assert.match(unset, /is not set/);
  assert.match((await askedAt('Hover', '"annot')).join('\n'), /Prefix of its tools/);
});

test('quick fixes correct the file and leave the rest of it alone', async () => {
  const fixed = await window.evaluate(async (vscode) => {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) throw new Error('No file is open.');
    const apply = async (text: string, title: string) => {
      const marked = () =>
        vscode.languages
          .getDiagnostics(document.uri)
          .find((one) => one.source === 'MCP Bridge' && document.getText(one.range).includes(text));
      for (let tries = 0; marked() === undefined && tries < 100; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const range = marked()?.range;
      if (range === undefined) {
        const all = vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
        throw new Error(`nothing is marked at ${text}, only: ${all.join(' | ')}`);
      }
      const actions = await vscode.commands.executeCommand<CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      const action = actions.find((one) => one.title.startsWith(title));
      if (action?.edit === undefined) {
        throw new Error(`no "${title}" among ${actions.map((one) => one.title).join()}`);
      }
      await vscode.workspace.applyEdit(action.edit);
    };
    await apply('no_such_', 'Remove this pattern');
    await apply('NO_SUCH_VARIABLE', 'Keep it in the secret storage');
    await document.save();
    return document.getText();
  });
  const servers = (JSON.parse(fixed) as Record<string, Record<string, unknown>>)[
    'mcpBridge.servers'
  ];
  assert.deepEqual(servers, {
    annotated: { deny: ['wi*'] },
    unset: { ...unset, env: { ...unset.env, TOKEN: '${secret:NO_SUCH_VARIABLE}' } },
  });
  await window.screenshot('settings-fixed');
});
