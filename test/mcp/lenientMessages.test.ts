import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScripted } from '../servers/scriptedHttp.ts';
import { call, open, toolNames } from '../support/sessions.ts';

const handshakes: Readonly<Record<string, object>> = {
  'without the name of the server': { protocolVersion: '2025-06-18', capabilities: { tools: {} } },
  'without capabilities': { protocolVersion: '2025-06-18', serverInfo: { name: 'x' } },
  'with lists in its capabilities': {
    protocolVersion: '2024-11-05',
    capabilities: { tools: [{ name: 'echo' }], prompts: true },
    serverInfo: { name: 'x', version: '1' },
  },
  'with instructions that are no text': {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: 1 },
    instructions: { text: 'x' },
  },
};

for (const [name, result] of Object.entries(handshakes)) {
  test(`a handshake ${name} is taken`, async () => {
    await using server = await startScripted({ initialize: () => result });
    await using session = await open({ type: 'http', url: server.url, headers: {} });
    assert.deepEqual(await toolNames(session), ['echo']);
  });
}

test('results come as the server sent them, whatever they are', async () => {
  for (const result of [{ content: 'text' }, { content: [{ type: 'new' }] }, [], 'text', 0, null]) {
    await using server = await startScripted({ 'tools/call': () => result });
    await using session = await open({ type: 'http', url: server.url, headers: {} });
    assert.deepEqual(await call(session, 'echo'), result);
  }
});

test('errors of a wrong form are told, not waited for', async () => {
  for (const error of ['broken', { message: 'broken' }, { code: 'E1', message: 'broken' }]) {
    await using server = await startScripted({
      'tools/call': ({ response, message }) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error }));
        return undefined;
      },
    });
    await using session = await open({ type: 'http', url: server.url, headers: {} });
    await assert.rejects(call(session, 'echo'), { code: 'protocol', message: /broken/ });
  }
});
