import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
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
import { answerQuickInput } from '../quickInput.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let settingsFile: string;

before(async () => {
  workspace = await Workspace.create({ annotated: { deny: ['wipe'] } });
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.servers': {
        annotated: { ...testServer('annotated'), deny: ['no_such_*'] },
        other: testServer('echo'),
      },
    },
  });
  settingsFile = join(session.userDataDir, 'User', 'settings.json');
  const text = await readFile(settingsFile, 'utf8');
  await writeFile(settingsFile, text.replace('"deny"', '// kept\n      "deny"'));
  window = await session.openWindow(workspace.folder);
  await openServersView(window);
  await registeredTool(window, 'annotated__run');
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

const checkbox = (label: string) =>
  window.page
    .locator('.monaco-list-row', {
      has: window.page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }),
    })
    .locator('.custom-view-tree-node-item-checkbox');

/** Waits until the file holds the text, and gives it. */
async function fileWith(file: string, condition: (text: string) => boolean): Promise<string> {
  const deadline = Date.now() + 15_000;
  let text = '';
  do {
    text = await readFile(file, 'utf8');
    if (condition(text)) return text;
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (Date.now() < deadline);
  throw new Error(`The file never was as expected: ${text}`);
}

test('problems and tools stand in groups, with how a tool is offered', async () => {
  await expandRow(window, 'annotated');
  await rowWhen(window, 'Problems (1)');
  await rowWhen(window, 'Tools (5)', ({ description }) => /^~\d+ tokens$/.test(description));
  const { description } = await rowWhen(window, 'run');
  assert.match(description, /^annotated__run · asks · ~\d+ tokens$/);
  await rowWhen(window, 'wipe', (row) => row.description.includes('denied by the pattern "wipe"'));
  await window.screenshot('tree-groups');
});

test('a checkbox takes a tool out, in the file that defines its server, and puts it back', async () => {
  await checkbox('run').click();
  await rowWhen(window, 'run', (row) => row.description === 'denied by the pattern "run"');
  const text = await fileWith(settingsFile, (now) => now.includes('"run"'));
  assert.ok(text.includes('// kept'), text);
  await checkbox('run').click();
  await rowWhen(window, 'run', (row) => row.description.startsWith('annotated__run'));
  const again = await fileWith(settingsFile, (now) => !now.includes('"run"'));
  assert.ok(again.includes('// kept') && again.includes('no_such_*'), again);
});

test('a tool that the workspace leaves out is put back there', async () => {
  await checkbox('wipe').click();
  await rowWhen(window, 'wipe', (row) => row.description.startsWith('annotated__wipe'));
  const settings = JSON.parse(await workspace.readSettings()) as Record<string, unknown>;
  assert.deepEqual(settings['mcpBridge.servers'], { annotated: { deny: [] } });
});

test('the filter leaves what fits, and says so', async () => {
  const filtering = window.run('mcpBridge.filterTools');
  await answerQuickInput(window, 'Filter MCP Servers and Tools', 'look');
  await filtering;
  await rowWhen(window, 'look');
  await window.page.getByText('Shows only what fits "look".').waitFor();
  await rowWhen(window, 'Tools (1)');
  await window.screenshot('tree-filtered');
  await assert.rejects(rowWhen(window, 'other', undefined, 500), /No such row/);
  await window.run('mcpBridge.clearFilter');
  await rowWhen(window, 'other');
});
