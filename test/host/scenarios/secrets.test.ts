import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  Workspace,
  invokeTool,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
} from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { answerQuickInput } from '../quickInput.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

const inputValue = 'input-Value-93kd7';
const secretValue = 'secret-Value-27xq1';
const literal = 'ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9b';
const entry = (token: string) => ({ ...testServer('tellsEnv'), env: { TOKEN: token } });
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.inputs': [
        { id: 'token', type: 'promptString', password: true, description: 'Which token?' },
      ],
      'mcpBridge.servers': {
        asks: { ...entry('${input:token}'), confirm: 'never' },
        keeps: { ...entry('${secret:x}'), confirm: 'never' },
      },
    },
  });
  window = await session.openWindow(workspace.folder);
  await openServersView(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

test('servers wait unasked, ask when started, and get the values', async () => {
  for (const name of ['asks', 'keeps']) {
    await rowWhen(window, name, ({ description }) => description.startsWith('waits for a value'));
  }
  const started = window.run('mcpBridge.startServer', 'asks');
  await answerQuickInput(window, 'Which token?', inputValue);
  await started;
  const set = window.run('mcpBridge.setSecret', 'x');
  await answerQuickInput(window, 'Value of the secret', secretValue);
  await set;
  for (const [name, value] of [
    ['asks', inputValue],
    ['keeps', secretValue],
  ] as const) {
    await registeredTool(window, `${name}__digest`);
    const result = await invokeTool(window, `${name}__digest`, {});
    assert.ok(result.includes(digest(value)), `${name} got its value: ${result}`);
  }
});

test('a token written out is marked in its file, and the quick fix moves it into the storage', async () => {
  const file = join(workspace.folder, '.vscode', 'settings.json');
  const servers = { plain: entry(literal), wrong: { command: 'x', start: 'later' } };
  const text = JSON.stringify({ 'mcpBridge.servers': servers }, null, 2);
  await writeFile(file, `// kept\n${text}\n`);
  await rowWhen(window, 'wrong');
  const diagnostics = await window.waitFor(
    'two diagnostics',
    async (vscode, path: string) => {
      const uri = vscode.Uri.file(path);
      await vscode.window.showTextDocument(uri);
      const found = vscode.languages
        .getDiagnostics(uri)
        .filter(({ source }) => source === 'MCP Bridge')
        .map(({ message, range }) => [message, range.start.line] as const);
      return found.length >= 2 ? found : undefined;
    },
    file,
  );
  const lines = `// kept\n${text}`.split('\n');
  assert.match(lines[diagnostics.find(([one]) => one.includes('GitHub'))?.[1] ?? 0] ?? '', /ghp_/);
  assert.match(lines[diagnostics.find(([one]) => one.includes('start'))?.[1] ?? 0] ?? '', /later/);
  await window.screenshot('settings-diagnostics');
  const fixing = window.evaluate(async (vscode, path: string) => {
    const uri = vscode.Uri.file(path);
    const place = vscode.languages
      .getDiagnostics(uri)
      .find(({ code }) => code === 'literal-secret')?.range;
    const actions = await vscode.commands.executeCommand<
      { title: string; command?: { command: string; arguments?: unknown[] } }[]
    >('vscode.executeCodeActionProvider', uri, place);
    const fix = actions.find(({ title }) => title.startsWith('Move into'))?.command;
    if (fix === undefined)
      throw new Error(`no fix among ${actions.map(({ title }) => title).join()}`);
    await vscode.commands.executeCommand(fix.command, ...(fix.arguments ?? []));
  }, file);
  await answerQuickInput(window, 'Name of the secret', 'moved');
  await fixing;
  await window.screenshot('settings-secret-moved');
  const after = await readFile(file, 'utf8');
  assert.ok(after.startsWith('// kept\n') && after.includes('"TOKEN": "${secret:moved}"'), after);
  assert.ok(!after.includes(literal));
});

test('none of the values stands in a log', async () => {
  await window.run('mcpBridge.showLog');
  const logs = await session.logs();
  assert.match(logs, /\[asks\] stderr: got •••/);
  for (const value of [inputValue, secretValue, literal]) assert.ok(!logs.includes(value));
  const settings = await readFile(join(session.userDataDir, 'User', 'settings.json'), 'utf8');
  assert.ok(!settings.includes(inputValue) && !settings.includes(secretValue));
});
