import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startForwardProxy } from '../../servers/forwardProxy.ts';
import { startStreamableHttp } from '../../servers/streamableHttp.ts';
import { startTlsFront } from '../../support/tlsFront.ts';
import { Workspace, invokeTool, openServersView, registeredTool, rowWhen } from '../bridgeProbe.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

const remote = (url: string) => ({ url, confirm: 'never' });
const hostsSetting = 'mcpBridge.network.allowedHosts';

test('remote servers are reached as the proxy settings and certificates of the editor say', async () => {
  await using server = await startStreamableHttp();
  await using trusted = await startTlsFront('trusted.invalid', server.url);
  await using unknown = await startTlsFront('unknown.invalid', server.url);
  // Names that exist nowhere: only who asks the proxy gets there.
  await using proxy = await startForwardProxy({
    'plain.invalid': Number(new URL(server.url).port),
    'trusted.invalid': trusted.port,
    'unknown.invalid': unknown.port,
    'unnamed.invalid': Number(new URL(server.url).port),
  });
  await using workspace = await Workspace.create();
  // A workspace has no say in this.
  const own = { [hostsSetting]: ['unnamed.invalid', 'plain.invalid'] };
  await writeFile(join(workspace.folder, '.vscode/settings.json'), JSON.stringify(own));
  const session = await startEditor({
    vsix: [await packageExtension()],
    env: { NODE_EXTRA_CA_CERTS: trusted.certificateFile },
    settings: {
      'http.proxy': proxy.url,
      'http.noProxy': ['direct.invalid'],
      [hostsSetting]: ['plain.invalid', 'direct.invalid'],
      'mcpBridge.servers': {
        plain: remote('http://plain.invalid/mcp'),
        trusted: remote('https://trusted.invalid/mcp'),
        unknown: remote('https://unknown.invalid/mcp'),
        direct: remote('http://direct.invalid/mcp'),
        unnamed: remote('http://unnamed.invalid/mcp'),
        local: remote(`http://localhost:${new URL(server.url).port}/mcp`),
      },
    },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    await openServersView(window);
    for (const name of ['plain', 'trusted', 'local']) {
      await registeredTool(window, `${name}__echo`);
      assert.equal(await invokeTool(window, `${name}__echo`, { text: name }), name);
    }
    await rowWhen(window, 'unknown', ({ description }) => /self-signed/.test(description));
    await rowWhen(window, 'direct', ({ description }) => /host name/.test(description));
    assert.ok(proxy.requests.includes('POST http://plain.invalid/mcp'), proxy.requests.join('\n'));
    assert.ok(proxy.requests.includes('CONNECT trusted.invalid:443'));
    await rowWhen(window, 'unnamed', ({ description }) => /address refused/.test(description));
    const elsewhere = /direct\.invalid|unnamed\.invalid|localhost/;
    assert.deepEqual(
      proxy.requests.filter((request) => elsewhere.test(request)),
      [],
    );
    // The server is connected to as soon as the user allows it.
    await window.evaluate(async (vscode, setting: string) => {
      const { Global } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration().update(setting, ['*.invalid'], Global);
    }, hostsSetting);
    await registeredTool(window, 'unnamed__echo');
    assert.equal(await invokeTool(window, 'unnamed__echo', { text: 'allowed' }), 'allowed');
  } finally {
    await session.close();
  }
});
