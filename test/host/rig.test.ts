import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { Agent } from './agent.ts';
import { agentHostTools } from './agentHost.ts';
import type { EditorSession } from './editorSession.ts';
import type { EditorWindow } from './editorWindow.ts';
import { toolResultsIn, type Answer } from './scriptedModel.ts';
import { startEditor } from './startEditor.ts';
import { toyTool, writeToyExtension } from './toyExtension.ts';

/** Has the model call the toy's tool, then end the turn. */
function callToy(message: string): Answer[] {
  return [[{ toolCall: { name: toyTool, input: { message } } }], [{ text: `said ${message}` }]];
}

suite('the editor rig', { timeout: 240_000 }, () => {
  let folder: string;
  let session: EditorSession;
  let window: EditorWindow;
  let agent: Agent;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-rig-'));
    session = await startEditor({ vsix: [await writeToyExtension(folder)] });
    window = await session.openWindow(folder);
  });

  after(async () => {
    try {
      // Throws when a process it started is still there.
      await session.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('evaluates functions with arguments, results and errors', async () => {
    const sum = await window.evaluate((_vscode, a: number, b: number) => a + b, 2, 3);
    assert.equal(sum, 5);
    await assert.rejects(
      window.evaluate(() => {
        throw new Error('from inside');
      }),
      /from inside/,
    );
  });

  test('refuses a proposed API to an extension that does not declare it', async () => {
    await assert.rejects(
      window.evaluate((vscode) => {
        const { workspace } = vscode as unknown as {
          workspace: { registerFileSearchProvider(scheme: string, provider: object): unknown };
        };
        workspace.registerFileSearchProvider('probe', {});
      }),
      /CANNOT use API proposal: fileSearchProvider/,
    );
  });

  test('allows a proposed API to an extension that declares it', async () => {
    const exported = await window.evaluate(
      (vscode) => vscode.extensions.getExtension('mcp-bridge-test.toy')?.exports as unknown,
    );
    assert.deepEqual(exported, { proposal: 'allowed' });
  });

  test('lists the tool among those offered to the agent host', async () => {
    const tool = (await agentHostTools(session, window)).find(({ name }) => name === toyTool);
    assert.equal(tool?.description, 'Returns the message it is given.');
    assert.deepEqual(tool.inputSchema?.['required'], ['message']);
  });

  test('has the agent call a tool after approval and hands the result to the model', async () => {
    agent = await Agent.open(window);
    const turn = await agent.ask('Please echo hi', { answers: callToy('hi'), approve: 'once' });
    const [first, second] = turn.requests;
    assert.equal(turn.requests.length, 2);
    assert.ok(first?.tools.some(({ name }) => name === toyTool));
    assert.equal(second && toolResultsIn(second).at(-1)?.text, 'Echo: hi');
    assert.equal(turn.approvals.length, 1);
    assert.match(
      turn.approvals[0] ?? '',
      /Run echo of Toy\?[^]*Toy returns the message\.[^]*Allow/,
    );
    assert.match(
      turn.transcript,
      /Tool call: toy__echo {"message":"hi"}\nTool result: Echo: hi\nModel: said hi$/,
    );
    assert.match(turn.shown, /said hi/);
  });

  test('skips a call', async () => {
    const turn = await agent.ask('Once more', { answers: callToy('no'), approve: 'skip' });
    assert.match(turn.transcript, /Tool result: The user chose to skip/);
  });

  test('shows the confirmation card while it is open and asks again after forgetting', async () => {
    await agent.begin('Now look', callToy('look'));
    assert.match(await agent.approvalText(), /Run echo of Toy\?/);
    await agent.press('allow');
    assert.match((await agent.finish()).transcript, /Echo: look/);
    const allowed = await agent.ask('Again', { answers: callToy('again'), approve: 'none' });
    assert.match(allowed.transcript, /Echo: again/);
    await agent.newChat();
    await agent.forgetApprovals();
    const asked = await agent.ask('And again', { answers: callToy('last'), approve: 'once' });
    assert.equal(asked.approvals.length, 1);
  });

  test('tells two windows apart and gives one the focus', async () => {
    const other = await session.openWindow(folder);
    assert.notEqual(other.extensionHostPid, window.extensionHostPid);
    await other.focus();
    assert.equal(await window.evaluate((vscode) => vscode.window.state.focused), false);
    await window.focus();
    assert.equal(await other.evaluate((vscode) => vscode.window.state.focused), false);
    await other.close();
    assert.equal(await window.evaluate((vscode) => vscode.window.state.focused), true);
  });

  test('reloads a window into a new extension host', async () => {
    const before = window.extensionHostPid;
    await window.reload();
    assert.notEqual(window.extensionHostPid, before);
    assert.ok(await window.evaluate((vscode) => vscode.lm.tools.length > 0));
  });
});
