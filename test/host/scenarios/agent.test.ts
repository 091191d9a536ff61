import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent } from '../agent.ts';
import { agentHostTools } from '../agentHost.ts';
import {
  Workspace,
  expandRow,
  npmServer,
  offeredIn,
  openServersView,
  approveLaunch,
  knownServer,
  registeredTool,
  rowWhen,
  toolsOffered,
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

const everything = npmServer('server-everything', 'stdio');

before(async () => {
  workspace = await Workspace.create({ everything });
  session = await startEditor({ vsix: [await packageExtension()] });
  window = await session.openWindow(workspace.folder);
  await knownServer(window, 'everything');
  await approveLaunch(window, 'everything');
  await registeredTool(window, 'everything__echo');
  agent = await Agent.open(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

test('the agent gets a server tool, asks, calls it and reads its answer', async () => {
  const input = { message: 'over the bridge' };
  await agent.begin('Echo something.', [
    [{ toolCall: { name: 'everything__echo', input } }],
    [{ text: 'The server said it.' }],
  ]);
  const card = await agent.approvalText(/over\sthe\sbridge/);
  await window.screenshot('chat-approval');
  const turn = await agent.finish();

  const echo = offeredIn(turn).get('everything__echo');
  assert.equal(echo?.description, 'Echoes back the input string');
  assert.deepEqual(echo.inputSchema, {
    type: 'object',
    properties: { message: { type: 'string', description: 'Message to echo' } },
    required: ['message'],
  });
  assert.match(card, /Call echo on everything\?/);
  assert.match(
    card,
    /Tool echo \(Echo Tool\) of the MCP server everything, which the settings of this workspace/,
  );
  const [, second] = turn.requests;
  assert.ok(second);
  assert.deepEqual(
    toolResultsIn(second).map(({ text }) => text),
    ['Echo: over the bridge'],
  );
  await openServersView(window);
  await expandRow(window, 'everything');
  await window.screenshot('chat-answer');
});

test('a skipped call never reaches the server', async () => {
  await agent.forgetApprovals();
  const turn = await agent.ask('Echo something else.', {
    answers: [
      [{ toolCall: { name: 'everything__echo', input: { message: 'not wanted' } } }],
      [{ text: 'Fine.' }],
    ],
    approve: 'skip',
  });
  const [, second] = turn.requests;
  assert.ok(second);
  assert.doesNotMatch(toolResultsIn(second).at(-1)?.text ?? '', /Echo:/);
});

test('wrong arguments are told with their path, and the model can correct them', async () => {
  const turn = await agent.ask('Add numbers.', {
    answers: [
      [{ toolCall: { name: 'everything__get-sum', input: { a: 1, b: { c: 2 } } } }],
      [{ toolCall: { name: 'everything__get-sum', input: { a: 1, b: 2 } } }],
      [{ text: 'Three.' }],
    ],
  });
  const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
  assert.match(results.at(-1)?.text ?? '', /The sum of 1 and 2 is 3/);
});

test('images reach the model as data', async () => {
  const turn = await agent.ask('Show me a picture.', {
    answers: [
      [{ toolCall: { name: 'everything__get-tiny-image', input: {} } }],
      [{ text: 'Nice.' }],
    ],
  });
  const last = turn.requests.at(-1) ?? assert.fail('no request');
  const data = [
    ...toolResultsIn(last).flatMap((result) => result.data),
    ...last.messages.flatMap((message) => message.data),
  ];
  assert.ok(
    data.some(({ mimeType, bytes }) => mimeType === 'image/png' && bytes > 100),
    JSON.stringify(data),
  );
});

test('the meta-tools find a tool and call it, with the inner call in the confirmation', async () => {
  const turn = await agent.ask('Find a way to add.', {
    answers: [
      [{ toolCall: { name: 'mcp_bridge_find_tools', input: { query: 'sum of two numbers' } } }],
      [
        {
          toolCall: {
            name: 'mcp_bridge_call_tool',
            input: { name: 'everything__get-sum', arguments: { a: 20, b: 22 } },
          },
        },
      ],
      [{ text: '42' }],
    ],
  });
  const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
  const [found, called] = results.slice(-2);
  assert.match(found?.text ?? '', /^name: everything__get-sum\nserver: everything\n/);
  assert.match(called?.text ?? '', /The sum of 20 and 22 is 42/);
  assert.match(
    turn.approvals[0] ?? '',
    /Tool get-sum \(Get Sum Tool\) of the MCP server everything/,
  );
  assert.match(turn.approvals[0] ?? '', /\ba: 20/);
});

test('settings edited while the editor runs count at once, without a reload', async () => {
  const pid = window.extensionHostPid;
  const memory = npmServer('server-memory');
  await workspace.setServers({ everything, memory });
  await knownServer(window, 'memory');
  await approveLaunch(window, 'memory');
  await toolsOfferedWhen(agent, (names) => names.has('memory__read_graph'));

  await workspace.setServers({ everything: { ...everything, deny: ['get-*'] }, memory });
  const denied = await toolsOfferedWhen(agent, (names) => !names.has('everything__get-sum'));
  assert.ok(denied.has('everything__echo'));
  await openServersView(window);
  await expandRow(window, 'everything');
  const echo = await rowWhen(window, 'Echo Tool');
  // A left-out tool says why, and is greyed.
  await rowWhen(
    window,
    'Get Sum Tool',
    ({ description, color }) =>
      description.includes('denied by the pattern "get-*"') && color !== echo.color,
  );
  await window.screenshot('sidebar-left-out');

  await workspace.setServers({ everything: { ...everything, deny: ['get-*'] } });
  const left = await toolsOfferedWhen(agent, (names) => !names.has('memory__read_graph'));
  assert.ok(left.has('everything__echo'));
  await window.waitFor(
    'the process and the declaration of the removed server to be gone',
    (vscode) => {
      const { execSync } = process.getBuiltinModule('node:child_process');
      const processes = execSync('ps -eo pid,ppid,args').toString().split('\n');
      const children = processes.filter(
        (line) => line.trim().split(/\s+/)[1] === String(process.pid),
      );
      const isGone = !children.some((line) => line.includes('server-memory'));
      const isDeclared = vscode.lm.tools.some(({ name }) => name.startsWith('memory__'));
      return isGone && !isDeclared && children.some((line) => line.includes('server-everything'));
    },
  );
  assert.equal(window.extensionHostPid, pid, 'the window was not reloaded');
});

test('Agent Host sessions are offered the same tools', async () => {
  const local = [...(await toolsOffered(agent)).keys()];
  const ours = (names: readonly string[]) =>
    names.filter((name) => /^(everything_|mcp_bridge)_/.test(name));
  const offered = await agentHostTools(session, window);
  assert.deepEqual(ours(offered.map(({ name }) => name)).toSorted(), ours(local).toSorted());
  assert.ok(ours(local).includes('everything__echo'));
});
