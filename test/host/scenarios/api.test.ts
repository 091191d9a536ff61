import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent } from '../agent.ts';
import { apiUser, writeApiExtension, type ApiUser } from '../apiExtension.ts';
import {
  Workspace,
  expandRow,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
  toolsOfferedWhen,
} from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { toolResultsIn } from '../scriptedModel.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let agent: Agent;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension(), await writeApiExtension(workspace.folder)],
  });
  window = await session.openWindow(workspace.folder);
  await window.waitFor(
    'the extension that uses the API to be active',
    (vscode, id: string) => {
      return vscode.extensions.getExtension(id)?.isActive;
    },
    apiUser,
  );
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** Calls a tool through the API; the dialog it opens, if any, has the text that is answered with the button. */
async function callThroughApi(
  name: string,
  args: object,
  press?: { readonly dialog: RegExp; readonly button: string },
): Promise<string> {
  const calling = window.evaluate(
    async (vscode, id: string, tool: string, input: object) => {
      const user = vscode.extensions.getExtension<ApiUser>(id)?.exports;
      return JSON.stringify(await user?.bridge.callTool(tool, input));
    },
    apiUser,
    name,
    args,
  );
  if (press !== undefined) {
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor({ timeout: 20_000 });
    assert.match(await dialog.innerText(), press.dialog);
    await dialog.getByRole('button', { name: press.button }).click();
  }
  return calling;
}

test('without a registration the API is there and empty, and wrong definitions are refused', async () => {
  const seen = await window.evaluate(async (vscode, id: string) => {
    const { bridge, register } = vscode.extensions.getExtension<ApiUser>(id)?.exports ?? {};
    const refused = await register?.({ command: 'x', allow: 1 }).then(String, String);
    return { ...bridge, isFrozen: Object.isFrozen(bridge), refused };
  }, apiUser);
  assert.deepEqual([seen.version, seen.tools, seen.servers, seen.isFrozen], [1, [], [], true]);
  assert.match(seen.refused ?? '', /^Error: "served\.allow": /);
});

test('tools of a registered server and client reach the agent; filters count', async () => {
  await window.evaluate(
    async (vscode, id: string, entry: object) =>
      vscode.extensions.getExtension<ApiUser>(id)?.exports.register(entry),
    apiUser,
    { ...testServer('labelled', 'served', 'work', 'rest'), allow: ['work'] },
  );
  await registeredTool(window, 'duck__quack');
  await registeredTool(window, 'served__work');
  agent = await Agent.open(window);
  const names = await toolsOfferedWhen(
    agent,
    (offered) => offered.has('duck__quack') && offered.has('served__work'),
  );
  assert.deepEqual([...names].filter((name) => /^(duck|served)__/.test(name)).toSorted(), [
    'duck__quack',
    'served__work',
  ]);
  const turn = await agent.ask('Quack.', {
    answers: [
      [{ toolCall: { name: 'duck__quack', input: { text: 'bark' } } }],
      [{ toolCall: { name: 'duck__quack', input: { text: 'loudly' } } }],
      [{ text: 'Done.' }],
    ],
  });
  assert.match(
    turn.approvals[0] ?? '',
    /Tool quack of the MCP server duck, which the extension .* registered/,
  );
  const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
  assert.match(results.at(-2)?.text ?? '', /was not called: ducks do not bark/);
  assert.equal(results.at(-1)?.text, 'Quack: loudly');
});

test('the sidebar shows both, with what is left out and why', async () => {
  await openServersView(window);
  await rowWhen(window, 'served', ({ description }) => description === '1 of 2 tools');
  await rowWhen(window, 'duck', ({ description }) => description === '1 of 2 tools');
  await expandRow(window, 'duck');
  await rowWhen(window, 'bite', ({ description }) => /denied by the pattern/.test(description));
  await window.screenshot('api');
  const tools = await window.evaluate(
    (vscode, id: string) =>
      vscode.extensions
        .getExtension<ApiUser>(id)
        ?.exports.bridge.tools.map(({ name, availability }) => `${name} ${availability}`),
    apiUser,
  );
  assert.deepEqual(tools?.toSorted(), [
    'duck__bite leftOut',
    'duck__quack offered',
    'served__rest leftOut',
    'served__work offered',
  ]);
});

test('a call through the API asks the person, and only then is made', async () => {
  const quack = /Call quack on duck\?[^]*Tool ‹quack› of the MCP server ‹duck›[^]*text: ‹hi›/;
  const refused = await callThroughApi(
    'duck__quack',
    { text: 'hi' },
    { dialog: quack, button: 'Do Not Call' },
  );
  assert.match(refused, /"isError":true.*the user did not allow it/);
  const allowed = await callThroughApi(
    'duck__quack',
    { text: 'hi' },
    { dialog: quack, button: 'Allow Once' },
  );
  assert.deepEqual(JSON.parse(allowed), {
    isError: false,
    content: [{ type: 'text', text: 'Quack: hi' }],
  });
  assert.match(await callThroughApi('duck__bite', { text: 'hi' }), /may not be called: denied/);
  const calls = await window.evaluate(
    (vscode, id: string) => vscode.extensions.getExtension<ApiUser>(id)?.exports.calls,
    apiUser,
  );
  assert.deepEqual(
    calls,
    ['loudly', 'hi'].map((text) => ({ name: 'quack', arguments: { text } })),
  );
});

test('disposing the registrations takes the tools away', async () => {
  await window.evaluate(
    (vscode, id: string) => vscode.extensions.getExtension<ApiUser>(id)?.exports.unregister(),
    apiUser,
  );
  await window.waitFor('the declarations to be gone', (vscode) =>
    vscode.lm.tools.every(({ name }) => !/^(duck|served)__/.test(name)),
  );
  await toolsOfferedWhen(agent, (names) => !names.has('duck__quack') && !names.has('served__work'));
  const left = await window.evaluate((vscode, id: string) => {
    const { bridge, events = [] } = vscode.extensions.getExtension<ApiUser>(id)?.exports ?? {};
    return { tools: bridge?.tools, servers: bridge?.servers, events: [...new Set(events)] };
  }, apiUser);
  assert.deepEqual(
    { ...left, events: left.events.toSorted() },
    { tools: [], servers: [], events: ['servers', 'tools'] },
  );
});
