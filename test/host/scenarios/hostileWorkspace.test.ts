import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import {
  Workspace,
  approveLaunch,
  expandRow,
  invokeTool,
  knownServer,
  openServersView,
  registeredTool,
  rowWhen,
  testServer,
} from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { dialogText, pressInDialog } from '../modalDialog.ts';
import { pinnedNode } from '../repository.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let proof: string;
let sentinel: Server;
let requests = 0;
let address: string;

/** What would make a server less careful: six keys, of which a workspace has no say. */
const loosening = {
  ...{ confirm: 'never', trustAnnotations: true, changedTools: 'allow' },
  limits: { tools: 5000, images: 20, resultChars: 500_000 },
};

/** A program that leaves a mark when it is started. */
const marking = () => ({
  command: pinnedNode,
  args: ['-e', `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`],
});
const isUntouched = (): void => {
  assert.equal(existsSync(proof), false, 'no process was started');
  assert.equal(requests, 0, 'no request left');
};

before(async () => {
  sentinel = createServer((_request, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => sentinel.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(sentinel.address() as AddressInfo).port}/mcp`;
  workspace = await Workspace.create();
  proof = join(workspace.folder, 'STARTED');
  await workspace.setServers({
    program: { ...marking(), ...loosening },
    remote: { url: address, headers: { 'X-Key': '${env:HOME}' } },
    works: testServer('annotated'),
    mine: { ...loosening, args: ['--evil'], env: { A: 'b' }, prefix: '', protocol: 'legacy' },
  });
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { mine: testServer('annotated') } },
  });
  window = await session.openWindow(workspace.folder);
  await openServersView(window);
  await registeredTool(window, 'mine__run');
});

after(async () => {
  await session?.close();
  sentinel?.closeAllConnections();
  await new Promise((resolve) => sentinel.close(resolve));
  await workspace?.[Symbol.asyncDispose]();
});

test('T01 nothing of a cloned workspace starts or is contacted, although the workspace is trusted', async () => {
  for (const server of ['program', 'remote', 'works']) {
    await rowWhen(window, server, ({ description }) => description.startsWith('Waits for your'));
  }
  await window.page.getByText('3 MCP servers of this workspace wait').first().waitFor();
  const ignored = await window.page
    .locator('.monaco-list-row .label-name', { hasText: /^"[^"]+" of "|limits/ })
    .allInnerTexts();
  assert.ok(ignored.length >= 14, `${ignored.length} ignored: ${ignored.join('\n')}`);
  await window.screenshot('launch-waiting');
  await expandRow(window, 'mine');
  await rowWhen(window, 'run', ({ description }) => description.startsWith('mine__run · asks'));
  isUntouched();
});

test('T04 editing the settings a hundred times starts nothing and asks nothing', async () => {
  for (let edit = 0; edit < 100; edit++) {
    await workspace.setServers({ program: { ...marking(), env: { EDIT: String(edit) } } });
    await delay(20);
  }
  await rowWhen(window, 'program', ({ description }) => description.startsWith('Waits for your'));
  assert.equal(await window.page.locator('.monaco-dialog-box').count(), 0);
  assert.ok((await window.page.locator('.notification-toast').count()) <= 1);
  isUntouched();
});

test('the question shows the whole launch, and a refusal starts nothing', async () => {
  await workspace.setServers({ program: marking(), works: testServer('annotated') });
  await knownServer(window, 'works');
  const started = window.run('mcpBridge.startServer', 'program');
  const question = await dialogText(window);
  await window.screenshot('launch-question');
  assert.match(question, /want to start the MCP server "program"/);
  assert.match(question, /with all your rights/);
  assert.ok(question.includes(`program: ${pinnedNode}`) || question.includes('program: /'));
  assert.match(question, /args\[0\]: -e/);
  assert.match(question, /args\[1\]: require\('fs'\)\.writeFileSync/);
  await pressInDialog(window, 'Not Now');
  await started;
  await rowWhen(window, 'program', ({ description }) => description.startsWith('Waits for your'));
  isUntouched();
});

test('what is approved starts, and stays approved when nothing of it changes', async () => {
  await approveLaunch(window, 'works');
  await registeredTool(window, 'works__run');
  await workspace.setServers({ works: { ...testServer('annotated'), deny: ['wipe'] } });
  await rowWhen(window, 'works', ({ description }) => description === '4 of 5 tools');
  await window.reload();
  await openServersView(window);
  await rowWhen(window, 'works', ({ description }) => description === '4 of 5 tools', 30_000);
});

const { command, args } = testServer('annotated');
const base = { command, args, env: { MODE: 'a' }, envFile: '${workspaceFolder}/x.env' };
const variants: Readonly<Record<string, object>> = {
  command: { ...base, command: '/usr/bin/env', args: [command, ...args] },
  argument: { ...base, args: [...args.slice(0, -1), `${args.at(-1)}.other`] },
  'number of arguments': { ...base, args: [...args, '--more'] },
  'name in env': { ...base, env: { MODE: 'a', NODE_OPTIONS: '--no-warnings' } },
  'value in env': { ...base, env: { MODE: 'b' } },
  cwd: { ...base, cwd: '/' },
  envFile: { ...base, envFile: '${workspaceFolder}/y.env' },
  url: { url: 'http://127.0.0.1:9/mcp' },
  header: { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': '${env:HOME}' } },
  transport: { type: 'sse', url: 'http://127.0.0.1:9/mcp' },
};

test('T03 a launch with a file of variables is approved as it is', async () => {
  await writeFile(join(workspace.folder, 'x.env'), 'A=1\n');
  await writeFile(join(workspace.folder, 'y.env'), 'A=1\n');
  await workspace.setServers({ works: base });
  await rowWhen(window, 'works', (row) => row.description.startsWith('Changed, waits for your'));
  await approveLaunch(window, 'works');
  await rowWhen(window, 'works', ({ description }) => description === '5 tools');
});

for (const [field, entry] of Object.entries(variants)) {
  test(`T03 another ${field} stops the server and waits, and the old one counts again`, async () => {
    await workspace.setServers({ works: entry });
    await rowWhen(window, 'works', (row) => row.description.startsWith('Changed, waits for your'));
    // Where its tools are still known, a person would be asked about the call first.
    if (field === 'command') {
      const answer = await invokeTool(window, 'mcp_bridge_call_tool', { name: 'works__run' });
      assert.ok(!answer.includes('run got'), answer);
    }
    await workspace.setServers({ works: base });
    await rowWhen(window, 'works', ({ description }) => description === '5 tools');
  });
}

test('T03 another content of envFile keeps the server from being started again', async () => {
  await writeFile(join(workspace.folder, 'x.env'), 'A=2\n');
  const started = window.run('mcpBridge.restartServer', 'works');
  const question = await dialogText(window);
  assert.match(question, /different from what you approved before:\s+content of envFile: another/);
  await pressInDialog(window, 'Not Now');
  await started;
  await rowWhen(window, 'works', (row) => row.description.startsWith('Changed, waits for your'));
  await writeFile(join(workspace.folder, 'x.env'), 'A=1\n');
  await window.run('mcpBridge.restartServer', 'works');
  await rowWhen(window, 'works', ({ description }) => description === '5 tools');
});

test('a change is shown before everything else, and a revoked approval counts no more', async () => {
  await workspace.setServers({ works: { ...base, args: [...args, '--more'] } });
  await rowWhen(window, 'works', (row) => row.description.startsWith('Changed, waits for your'));
  const started = window.run('mcpBridge.startServer', 'works');
  const question = await dialogText(window);
  await window.screenshot('launch-difference');
  assert.match(question, /different from what you approved before:\s+args\[1\]: new: --more/);
  await pressInDialog(window, 'Approve');
  await started;
  await rowWhen(window, 'works', ({ description }) => description === '5 tools');
  isUntouched();
});
