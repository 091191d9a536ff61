import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Agent } from '../agent.ts';
import {
  Workspace,
  expandRow,
  invokeTool,
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

const big = {
  ...testServer('manyTools', '300'),
  confirm: 'never',
  pin: ['docker_container_logs', 'stripe_create_refund'],
};
const small = { ...testServer('manyTools', '10'), confirm: 'never' };
/** Places there are with no other extension's tools, see `toolBudget`. */
const places = 30;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { big, small } },
  });
  window = await session.openWindow(workspace.folder);
  await registeredTool(window, 'big__docker_container_logs');
  await registeredTool(window, 'small__github_push_files');
  agent = await Agent.open(window);
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** Changes a setting of the user: only there servers may go unasked. */
function setUserSetting(name: string, value: unknown): Promise<void> {
  return window.evaluate(
    async (vscode, setting: string, written: unknown) => {
      const { Global } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration('mcpBridge').update(setting, written, Global);
    },
    name,
    value,
  );
}

const of = (server: string, names: Iterable<string>): string[] =>
  [...names].filter((name) => name.startsWith(`${server}__`));

test('of 310 tools so many are offered that the editor hides none, small servers and pins first', async () => {
  const offered = await toolsOfferedWhen(agent, (names) => names.has('small__github_push_files'));
  assert.equal(of('small', offered).length, 10);
  assert.equal(of('big', offered).length, places - 10);
  for (const pinned of big.pin) assert.ok(offered.has(`big__${pinned}`), pinned);
  assert.ok(offered.has('mcp_bridge_find_tools') && offered.has('mcp_bridge_call_tool'));
  // Above its own limits the editor puts such entries in the place of whole servers.
  assert.deepEqual(
    [...offered].filter((name) => name.startsWith('activate_')),
    [],
  );
});

test('a tool without a place is found and called through the meta-tools', async () => {
  const name = 'big__postgres_explain_query';
  const turn = await agent.ask('Why is my query slow?', {
    answers: [
      [
        {
          toolCall: {
            name: 'mcp_bridge_find_tools',
            input: { query: 'execution plan of a sql statement' },
          },
        },
      ],
      [
        {
          toolCall: {
            name: 'mcp_bridge_call_tool',
            input: { name, arguments: { sql: 'select 1' } },
          },
        },
      ],
      [{ text: 'It is not.' }],
    ],
  });
  assert.equal(
    turn.requests[0]?.tools.some((tool) => tool.name === name),
    false,
  );
  const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
  const [found, called] = results.slice(-2);
  assert.match(found?.text ?? '', new RegExp(`^name: ${name}\nserver: big\n`));
  assert.match(called?.text ?? '', /^postgres_explain_query got \{"sql":"select 1"\}$/);
  // Other extensions may call it by its name: that costs no place.
  assert.match(await invokeTool(window, name, { sql: 'x' }), /^postgres_explain_query got/);
});

test('the view says how many tools have a place, and which have none', async () => {
  await openServersView(window);
  await rowWhen(
    window,
    `${places} of 310 tools`,
    ({ description }) => description === 'the others only through search',
  );
  await rowWhen(window, 'big', ({ description }) => description === '300 tools, 280 by search');
  await rowWhen(window, 'small', ({ description }) => description === '10 tools');
  await expandRow(window, 'small');
  await window.screenshot('sidebar-budget');
});

test('a changed budget and more priority count at once', async () => {
  await setUserSetting('servers', { big: { ...big, priority: 1 }, small });
  const preferred = await toolsOfferedWhen(agent, (names) => of('small', names).length === 0);
  assert.equal(of('big', preferred).length, places);
  assert.ok(preferred.has('mcp_bridge_find_tools'));

  await setUserSetting('toolBudget', 5);
  const few = await toolsOfferedWhen(agent, (names) => of('big', names).length === 5);
  for (const pinned of big.pin) assert.ok(few.has(`big__${pinned}`), pinned);
});

test('a lower limit of tools and another prefix count for the running server', async () => {
  await setUserSetting('servers', {
    big: { ...testServer('manyTools', '300'), confirm: 'never', limits: { tools: 3 }, prefix: 'b' },
  });
  const offered = await toolsOfferedWhen(agent, (names) => of('b', names).length === 3);
  assert.deepEqual(of('big', offered), []);
  await openServersView(window);
  await expandRow(window, 'big');
  await rowWhen(window, /only the first 3 tools are used \("limits\.tools"\)/);
  // The chat has seen the old name; only the editor refuses it by itself, the meta-tool does not.
  const turn = await agent.ask('Merge it.', {
    answers: [
      [
        {
          toolCall: {
            name: 'mcp_bridge_call_tool',
            input: { name: 'big__github_merge_pull_request', arguments: { pull_number: '7' } },
          },
        },
      ],
      [{ text: 'Merged.' }],
    ],
  });
  const results = toolResultsIn(turn.requests.at(-1) ?? assert.fail('no request'));
  assert.equal(results.at(-1)?.text, 'github_merge_pull_request got {"pull_number":"7"}');
});
