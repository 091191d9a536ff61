import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { Workspace, npmServer, openServersView, registeredTool, rowWhen } from '../bridgeProbe.ts';
import { pinnedNode } from '../repository.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

test('in a workspace that is not trusted nothing of its settings starts or is contacted', async () => {
  let requests = 0;
  const sentinel = createServer((_request, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => sentinel.listen(0, '127.0.0.1', resolve));
  const { port } = sentinel.address() as AddressInfo;
  await using workspace = await Workspace.create();
  const proof = join(workspace.folder, 'STARTED');
  await workspace.setServers({
    program: {
      command: pinnedNode,
      args: ['-e', `require('fs').writeFileSync(${JSON.stringify(proof)}, '')`],
    },
    remote: { url: `http://127.0.0.1:${port}/mcp` },
  });
  const session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { mine: npmServer('server-memory') } },
    trust: 'restricted',
  });
  try {
    const window = await session.openWindow(workspace.folder);
    assert.equal(await window.evaluate((vscode) => vscode.workspace.isTrusted), false);
    await openServersView(window);
    // The user's own server shows that the bridge is at work: nine tools, and one to read its resource.
    await registeredTool(window, 'mine__read_graph');
    await rowWhen(window, 'mine', ({ description }) => description === '10 tools');
    for (const server of ['program', 'remote']) {
      await window.run('mcpBridge.startServer', server);
    }
    await window.run('mcpBridge.refresh');
    await window.page.getByText('Restricted Mode: servers from the settings').waitFor();
    await window.screenshot('sidebar-not-trusted');
    assert.equal(existsSync(proof), false, 'no process was started');
    assert.equal(requests, 0, 'no request left');
  } finally {
    await session.close();
    sentinel.closeAllConnections();
    await new Promise((resolve) => sentinel.close(resolve));
  }
});
