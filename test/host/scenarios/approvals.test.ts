import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Turn } from '../agent.ts';
import { Workspace, registeredTool, testServer } from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { toolResultsIn } from '../scriptedModel.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';
import { dialogText, pressInDialog } from '../modalDialog.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let agent: Agent;

const annotated = testServer('annotated');
/** Tool calls of one request, and the answer after their results. */
const calls = (...toolCalls: readonly { name: string; input: unknown }[]) => [
  toolCalls.map((toolCall) => ({ toolCall })),
  [{ text: 'Done.' }],
];

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.servers': {
        files: annotated,
        shared: annotated,
        free: { ...annotated, confirm: 'never' },
        careful: { ...annotated, confirm: 'writes' },
        believed: { ...annotated, confirm: 'writes', trustAnnotations: true },
      },
    },
  });
  window = await session.openWindow(workspace.folder);
  for (const server of ['files', 'free', 'careful', 'believed', 'shared']) {
    await registeredTool(window, `${server}__run`);
  }
  agent = await Agent.open(window);
});

/** A test that fails may leave a turn and its scripted answers behind. */
beforeEach(async () => {
  await agent.cancel();
  await window.model.clear();
  await agent.newChat();
  await agent.forgetApprovals();
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

function lastResult(turn: Turn): string {
  const last = turn.requests.at(-1) ?? assert.fail('The agent made no request.');
  return toolResultsIn(last).at(-1)?.text ?? '';
}

test('a question shows the server, its own name of the tool and what will be sent', async () => {
  const content = `# Plan\n${'water the plants, '.repeat(100)}`;
  const input = { path: '/notes/todo.md', content, overwrite: true };
  await agent.begin('Write it down.', calls({ name: 'files__files_write', input }));
  const card = await agent.approvalText(/overwrite: true/);
  await window.screenshot('approval-tool');
  assert.match(card, /^Call files\/write on files\?/);
  assert.match(card, /Tool files\/write \(Write File\) of the MCP server files\./);
  assert.match(card, /path: \/notes\/todo\.md/);
  assert.match(card, /content: # Plan⏎water the plants, .* … 1607 more characters/);
  const turn = await agent.finish({ approve: 'once' });
  assert.equal(lastResult(turn), `files/write got ${JSON.stringify(input)}`);
});

test('a meta-tool asks about the tool it calls', async () => {
  const input = { name: 'files__files_write', arguments: { path: 'a.txt', content: 'two\nlines' } };
  await agent.begin('Use the other way.', calls({ name: 'mcp_bridge_call_tool', input }));
  const card = await agent.approvalText(/content: two/);
  await window.screenshot('approval-meta-tool');
  assert.match(card, /^Call files\/write on files\?/);
  assert.match(card, /Tool files\/write \(Write File\) of the MCP server files\./);
  assert.match(card, /path: a\.txt\s+content: two⏎lines/);
  assert.match(card, /counts for every tool/);
  const turn = await agent.finish({ approve: 'once' });
  assert.match(lastResult(turn), /^files\/write got/);
});

test('T36 nothing a server, a workspace or a model writes becomes active in a question', async () => {
  const evil = '[x](command:workbench.action.quit) ``` https://evil.example $(error)\u{202E}';
  const input = { path: evil, [evil]: [evil] };
  const name = await window.waitFor(
    'the tool with a name of markup',
    (vscode) => vscode.lm.tools.find((tool) => /^shared__.*evil/.test(tool.name))?.name,
  );
  await agent.begin('Be careful.', calls({ name, input }));
  const card = await agent.approvalText(/path: /);
  await window.screenshot('approval-hostile');
  assert.match(card, /^Call click https \/\/evil\.example on shared\?/);
  assert.match(card, /of the MCP server shared\./);
  assert.match(card, /\$\(error\)‹U\+202E›/);
  const active = await window.page.evaluate(() => {
    const parts = [
      ...document.querySelectorAll('.chat-confirmation-widget-title, .message-wrapper'),
    ];
    const found = parts
      .filter((part) => part.checkVisibility())
      .flatMap((part) => [...part.querySelectorAll('a, img, b, .codicon-error, .codicon-warning')]);
    return { parts: parts.length, found: found.map((element) => element.outerHTML) };
  });
  assert.ok(active.parts > 0);
  assert.deepEqual(active.found, []);
  const turn = await agent.finish({ approve: 'skip' });
  assert.doesNotMatch(lastResult(turn), / got /);
});

const rules: readonly (readonly [tool: string, asks: false | RegExp])[] = [
  ['free__run', false],
  ['free__wipe', /can delete or overwrite\.[\s\S]*You are asked because/],
  ['careful__look', /The server says that it only reads\.[\s\S]*"trustAnnotations" is off/],
  ['believed__look', false],
  ['believed__run', /does not say that it only reads/],
];

for (const [name, asks] of rules) {
  test(`${name} is called ${asks === false ? 'without a question' : 'after a question'}`, async () => {
    await agent.begin(`Try ${name}.`, calls({ name, input: { path: 'here' } }));
    if (asks !== false) await agent.approvalText(asks);
    const turn = await agent.finish({ approve: 'once' });
    assert.equal(turn.approvals.length, asks === false ? 0 : 1);
    assert.match(lastResult(turn), / got \{"path":"here"\}$/);
  });
}

test('input edited in the question is what is sent, and is not asked about again', async () => {
  await agent.begin('Let me correct it.', calls({ name: 'files__run', input: { path: 'wrong' } }));
  await agent.approvalText(/path: wrong[\s\S]*"wrong"/);
  const input = window.page.locator('.chat-confirmation-widget-container .editor .monaco-editor');
  await input.filter({ visible: true }).last().locator('.view-line').first().click();
  await window.page.keyboard.press('ControlOrMeta+a');
  await window.page.keyboard.type('{ "path": "right');
  await agent.approvalText(/"right/);
  const turn = await agent.finish({ approve: 'once' });
  assert.equal(lastResult(turn), 'run got {"path":"right"}');
});

test('approval "in this session" is not asked for again, and passes', async () => {
  const call = (path: string) =>
    agent.ask(`Go to ${path}.`, { answers: calls({ name: 'files__run', input: { path } }) });
  const [first, second] = [await call('one'), await call('two')];
  assert.deepEqual([first.approvals.length, second.approvals.length], [1, 0]);
  assert.equal(lastResult(second), 'run got {"path":"two"}');
});

test('T47 a call from another extension is asked about once, by the editor', async () => {
  const invoked = window.evaluate(async (vscode) => {
    const options = { input: { path: 'direct' }, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool('files__run', options);
    return content.map((part) => (part as { value?: unknown }).value);
  });
  const question = await dialogText(window);
  await window.screenshot('approval-direct');
  assert.match(question, /Call run on files\?[\s\S]*MCP server files[\s\S]*path: direct/);
  await pressInDialog(window, 'Yes');
  assert.deepEqual(await invoked, ['run got {"path":"direct"}']);
});

for (const [choice, outcome] of [
  [
    'Do Not Call',
    /^Error: The tool "shared__run" .* was not called: the user did not allow it\. Do not try again/,
  ],
  ['Allow Once', /^run got \{"path":"here"\}$/],
] as const) {
  test(`a server changed under an open question is asked about anew: ${choice}`, async () => {
    const input = { path: 'here' };
    await agent.begin('Take your time.', calls({ name: 'shared__run', input }));
    await agent.approvalText(/path: here/);
    await window.evaluate(
      async (vscode, changed: object) => {
        const settings = vscode.workspace.getConfiguration('mcpBridge');
        const servers = settings.inspect<Record<string, object>>('servers')?.globalValue ?? {};
        const next = { ...servers, shared: changed };
        await settings.update('servers', next, vscode.ConfigurationTarget.Global);
      },
      { ...annotated, env: { CHOICE: choice } },
    );
    // The bridge takes settings over a moment after the editor knows them, and nothing shows when.
    await delay(2000);
    await agent.press('once');
    const question = await dialogText(window);
    await window.screenshot('approval-dialog');
    assert.match(question, /Call run on shared\?[\s\S]*Tool ‹run›[\s\S]*path: ‹here›/);
    await pressInDialog(window, choice);
    assert.match(lastResult(await agent.finish({ approve: 'none' })), outcome);
  });
}
