import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { Agent } from '../agent.ts';
import { Workspace, registeredTool, testServer } from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { toolResultsIn, type ModelRequest, type ToolResult } from '../scriptedModel.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let agent: Agent;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { results: { ...testServer('results'), confirm: 'never' } } },
  });
  window = await session.openWindow(workspace.folder);
  await registeredTool(window, 'results__big');
  agent = await Agent.open(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

interface Received extends ToolResult {
  /** The images of the request, wherever the editor put them. */
  readonly images: readonly { readonly mimeType: string; readonly bytes: number }[];
  readonly approvals: readonly string[];
}

/** What the model received when the agent called a tool, in a chat of its own. */
async function received(context: TestContext, name: string, input: object = {}): Promise<Received> {
  await agent.newChat();
  const turn = await agent.ask(`Use ${name}.`, {
    answers: [[{ toolCall: { name, input } }], [{ text: 'Seen.' }]],
  });
  const last: ModelRequest = turn.requests.at(-1) ?? assert.fail('no request');
  const result = toolResultsIn(last).at(-1) ?? assert.fail('no result');
  const images = [...result.data, ...last.messages.flatMap((message) => message.data)].filter(
    ({ mimeType }) => mimeType.startsWith('image/'),
  );
  const { text } = result;
  const shown = text.length > 900 ? `${text.slice(0, 400)}\n ⋮\n${text.slice(-400)}` : text;
  context.diagnostic(
    `${name}: ${text.length} characters, ${images.map(({ mimeType, bytes }) => `${mimeType} of ${bytes} bytes`).join(', ') || 'no image'}\n${shown}`,
  );
  return { ...result, images, approvals: turn.approvals };
}

test('a result of ten megabytes arrives inline, cut, and the agent can read the rest', async (context) => {
  const { text } = await received(context, 'results__big');
  assert.match(text, /^FIRST-MARK\nline of log/);
  assert.match(text, /LAST-MARK$/);
  assert.ok(text.length > 45_000 && text.length < 51_000, String(text.length));
  assert.doesNotMatch(text, /Large tool result|MIDDLE-MARK/);
  const [note, path] =
    /\[… \d+ of \d+ characters left out; the whole text is in the file (.+?): read [^\n]+ …\]/.exec(
      text,
    ) ?? [];
  assert.ok(path !== undefined);
  context.diagnostic(note ?? '');
  assert.match(await readFile(path, 'utf8'), /MIDDLE-MARK/);

  const read = await received(context, 'read_file', {
    filePath: path,
    startLine: 175_000,
    endLine: 175_004,
  });
  assert.match(read.text, /MIDDLE-MARK/);
  assert.match(read.approvals.join(), /Allow reading external files\?/);

  // Whoever does not want to be asked lists the folder.
  await window.evaluate(
    (vscode, folder: string) =>
      vscode.workspace
        .getConfiguration('github.copilot.chat')
        .update('additionalReadAccessPaths', [folder], vscode.ConfigurationTarget.Global),
    dirname(path),
  );
  await agent.forgetApprovals();
  const again = await received(context, 'read_file', {
    filePath: path,
    startLine: 350_003,
    endLine: 350_003,
  });
  assert.deepEqual([again.text, again.approvals], ['LAST-MARK', []]);
});

test('a text of several pages arrives whole and inline', async (context) => {
  const { text } = await received(context, 'results__pages');
  assert.equal(text.replaceAll(/\n+/g, '\n'), 'a line of twenty chars\n'.repeat(1000));
});

test('an image the model takes arrives as data, an SVG as its source', async (context) => {
  const png = await received(context, 'results__png');
  assert.match(png.text, /^A dot:/);
  assert.deepEqual(
    png.images.map(({ mimeType }) => mimeType),
    ['image/png'],
  );
  const svg = await received(context, 'results__svg');
  assert.deepEqual([svg.text, svg.images], ['<svg xmlns="http://www.w3.org/2000/svg"/>', []]);
});

test('structured data, errors, hidden characters and open questions are readable', async (context) => {
  const texts: Record<string, string> = {};
  for (const name of ['structured', 'failed', 'hidden', 'asks']) {
    texts[name] = (await received(context, `results__${name}`)).text;
  }
  assert.deepEqual(JSON.parse(texts['structured'] ?? ''), { accounts: [{ id: 1 }], total: 36 });
  assert.equal(texts['failed'], 'The tool reported an error:\nneeds admin role\n{\n  "e": 7\n}');
  assert.equal(texts['hidden'], 'green user\\u{202E}gpj.exe \\u{200B}👩🏽‍🚀');
  assert.match(
    texts['asks'] ?? '',
    /requires input first[^]*- who \(elicitation\/create\) Your name\?/,
  );
});
