import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent } from '../agent.ts';
import {
  Workspace,
  expandRow,
  npmServer,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
} from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { answerQuickInput, typeIntoQuickInput, waitForQuickInputLabels } from '../quickInput.ts';
import { toolResultsIn } from '../scriptedModel.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let agent: Agent;

before(async () => {
  workspace = await Workspace.create();
  const servers = {
    notes: { ...testServer('contents'), confirm: 'writes', trustAnnotations: true },
    everything: npmServer('server-everything', 'stdio'),
  };
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': servers },
  });
  window = await session.openWindow(workspace.folder);
  await registeredTool(window, 'notes__read_resource');
  await registeredTool(window, 'everything__read_resource');
  agent = await Agent.open(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** The text the chat's input shows. */
function chatInput(): Promise<string> {
  return window.page.evaluate(() => {
    const editor = [...document.querySelectorAll<HTMLElement>('.interactive-input-editor')].find(
      (element) => element.checkVisibility(),
    );
    const lines = [...(editor?.querySelectorAll<HTMLElement>('.view-line') ?? [])]
      .map((line) => ({ top: line.offsetTop, text: line.innerText.replaceAll('\u00A0', ' ') }))
      .toSorted((left, right) => left.top - right.top);
    return lines.map(({ text }) => text).join('\n');
  });
}

async function chatInputWhen(matching: RegExp): Promise<string> {
  const deadline = Date.now() + 10_000;
  let last = '';
  while (Date.now() < deadline) {
    last = await chatInput();
    if (matching.test(last)) return last;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The chat's input never matched ${String(matching)}. Last: ${last}`);
}

/** Sends what stands in the chat's input, and gives what the model gets. */
async function submittedText(): Promise<string> {
  const { length } = await window.model.requests();
  await window.run('workbench.action.chat.submit');
  await agent.finish();
  const request = (await window.model.requests()).slice(length).find(({ side }) => !side);
  return request?.messages.findLast(({ role }) => role === 'user')?.text ?? '';
}

test('the agent reads a resource through the tool made for it, and a wrong URI says so', async () => {
  const offered = await registeredTool(window, 'notes__read_resource');
  assert.match(offered.description, /- note:\/\/guide – The <b>Guide<\/b>/);
  assert.match(offered.description, /- topic:\/\/\{topic\}\/notes\{\?limit\} – Notes on a topic/);
  const read = (uri: string) => [{ toolCall: { name: 'notes__read_resource', input: { uri } } }];
  const turn = await agent.ask('Read the guide.', {
    answers: [
      read('note://guide'),
      read('topic://whales/notes'),
      read('note://gone'),
      [{ text: 'Done.' }],
    ],
  });
  const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
  assert.deepEqual(turn.approvals, [], 'it only reads');
  assert.match(results[0]?.text ?? '', /# Guide\n\nBegin here\./);
  assert.match(results[1]?.text ?? '', /Notes on whales\./);
  assert.match(results[2]?.text ?? '', /^Error: .*did not read the resource "note:\/\/gone"/);
});

test('the tree shows resources and prompts below their server, with their words taken literally', async () => {
  await openServersView(window);
  await expandRow(window, 'notes');
  await expandRow(window, 'Resources \\(4\\)');
  await expandRow(window, 'Prompts \\(3\\)');
  const guide = await rowWhen(window, 'The <b>Guide</b> $(zap)');
  const template = await rowWhen(window, 'Notes on a topic');
  const prompt = await rowWhen(window, 'Write a report');
  await rowWhen(window, /^2 left out: each needs a valid "uri"/);
  assert.deepEqual(
    [guide.description, template.description, prompt.description],
    ['note://guide', 'topic://{topic}/notes{?limit}', 'topic, place, tone?'],
  );
  await window.screenshot('resources-tree');
});

test('a resource opens as a read-only document in its language, an image as a picture', async () => {
  await window.page.getByText('The <b>Guide</b> $(zap)').first().click();
  const document = await window.waitFor('the guide in an editor', (vscode) => {
    const { document: shown } = vscode.window.activeTextEditor ?? {};
    return (
      shown?.uri.scheme === 'mcp-bridge-resource' && {
        text: shown.getText(),
        language: shown.languageId,
        name: shown.fileName.split('/').at(-1),
      }
    );
  });
  assert.deepEqual(document, {
    text: '# Guide\n\nBegin here.',
    language: 'markdown',
    name: 'guide.md',
  });
  assert.equal(
    await window.evaluate((vscode) =>
      vscode.workspace.fs.isWritableFileSystem('mcp-bridge-resource'),
    ),
    false,
  );
  await window.page.locator('.custom-view-tree-node-item', { hasText: 'note://pixel' }).click();
  await window.waitFor('the picture', (vscode) => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const input = activeTab?.input;
    return input instanceof vscode.TabInputCustom && input.viewType;
  });
  // The editor tells the size of a picture when it could draw it.
  await window.page.getByText('10x10').waitFor({ timeout: 30_000 });
  await window.screenshot('resources-picture');
  // The picture takes the focus when it is loaded.
  await window.run('workbench.action.closeAllEditors');
});

test('a template asks for its variables, with suggestions of the server', async () => {
  const running = window.run('mcpBridge.openResource');
  await answerQuickInput(window, 'Which resource', 'Notes on a topic');
  await typeIntoQuickInput(window, 'topic', 'be');
  await waitForQuickInputLabels(window, ['be', 'beta', 'betamax']);
  await window.screenshot('resources-template');
  await window.page.keyboard.press('ArrowDown');
  await window.page.keyboard.press('Enter');
  await answerQuickInput(window, 'limit (optional)', '');
  await running;
  const text = await window.waitFor('the notes in an editor', (vscode) => {
    const { document } = vscode.window.activeTextEditor ?? {};
    return document?.uri.scheme === 'mcp-bridge-resource' && document.getText();
  });
  assert.equal(text, 'Notes on beta.');
});

test('a resource that cannot be read says why', async () => {
  const running = window.run('mcpBridge.openResource');
  await answerQuickInput(window, 'Which resource', 'extra');
  await window.page.keyboard.press('Escape');
  await running;
  const message = await window.evaluate(async (vscode) => {
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const query = `${encode('user/notes')}.${encode('note://gone')}`;
    const uri = vscode.Uri.from({ scheme: 'mcp-bridge-resource', path: '/notes/gone.md', query });
    try {
      await vscode.workspace.fs.readFile(uri);
    } catch (error) {
      return (error as Error).message;
    }
    return 'it was read';
  });
  assert.match(message, /did not read the resource "note:\/\/gone": Resource not found/);
});

test("a prompt with arguments lands in the chat's input, and arrives whole at the model", async () => {
  await openServersView(window);
  const row = window.page.locator('.monaco-list-row', { hasText: 'Write a report' }).first();
  await row.hover();
  await row.getByRole('button', { name: 'Run Prompt' }).click({ timeout: 5_000 });
  await answerQuickInput(window, 'Topic: What it is about', 'beta');
  await typeIntoQuickInput(window, 'place', '');
  await waitForQuickInputLabels(window, ['Berlin', 'Bern']);
  await window.screenshot('prompt-argument');
  await answerQuickInput(window, 'place', 'Bern');
  await answerQuickInput(window, 'tone (optional)', '');
  const shown = await chatInputWhen(/Topic: beta/);
  await window.screenshot('prompt-in-chat');
  assert.match(shown, /^Write a report\.\n/);
  const asked = await submittedText();
  const expected =
    'Write a report.\n\nTopic: beta\nPlace: Bern\nTone: plain\\u{202E}\n```js\nlet x = 1;\n```\n\nResource note://guide:\n\n```\nBegin here.\n```';
  assert.ok(asked.includes(expected), asked);
});

test('a long prompt arrives whole too', async () => {
  const running = window.run('mcpBridge.runPrompt');
  await answerQuickInput(window, 'Which prompt', 'long');
  await running;
  await chatInputWhen(/Line \d+ of a long prompt/);
  const asked = await submittedText();
  const lines = Array.from(
    { length: 2000 },
    (_value, index) => `Line ${index} of a long prompt, #x @y`,
  );
  assert.ok(asked.includes(lines.join('\n')), `${asked.length} characters arrived`);
});

test('a prompt can go into a new editor instead', async () => {
  const running = window.run('mcpBridge.runPromptInEditor');
  await answerQuickInput(window, 'Which prompt', 'Arguments Prompt');
  await answerQuickInput(window, 'city', 'Oslo');
  await answerQuickInput(window, 'state (optional)', '');
  await running;
  const document = await window.waitFor('the prompt in an editor', (vscode) => {
    const { document: shown } = vscode.window.activeTextEditor ?? {};
    return shown?.isUntitled && [shown.languageId, shown.getText()];
  });
  assert.deepEqual(document, ['markdown', "What's weather in Oslo?"]);
});
