import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { BridgeError } from '../../src/core/failures.ts';
import { startScripted, type Exchange, type Script } from '../servers/scriptedHttp.ts';
import { eventually } from '../support/eventually.ts';
import { call, open, toolNames } from '../support/sessions.ts';

const eventStream = { 'content-type': 'text/event-stream' };

/** What a call of `echo` comes to when the server behaves so. */
async function outcome(script: Script): Promise<unknown> {
  await using server = await startScripted(script);
  await using session = await open({ type: 'http', url: server.url, headers: {} });
  try {
    return await call(session, 'echo');
  } catch (error: unknown) {
    return error;
  }
}

const withoutAnswer: Readonly<Record<string, (exchange: Exchange) => void>> = {
  'only accepts it': ({ response }) => response.writeHead(202).end(),
  'answers with nothing': ({ response }) => response.writeHead(204).end(),
  'ends its event stream': ({ response }) => response.writeHead(200, eventStream).end(': hi\n\n'),
  'cuts the connection': ({ response }) => {
    response.writeHead(200, eventStream).write(': hi\n\n');
    setTimeout(() => response.destroy(), 50);
  },
};

for (const [name, respond] of Object.entries(withoutAnswer)) {
  test(`a call fails at once when the server ${name}`, async () => {
    const startedAt = performance.now();
    const error = await outcome({
      'tools/call': (exchange) => {
        respond(exchange);
        return undefined;
      },
    });
    assert.equal((error as BridgeError).code, 'connectionLost');
    assert.match((error as BridgeError).message, /Whether the call took effect is unknown/);
    // The limit of the call is 20 s.
    assert.ok(performance.now() - startedAt < 10_000);
  });
}

test('a notification does not wait for the end of what the server answers it with', async () => {
  await using server = await startScripted({
    'notifications/initialized': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('noted');
      return undefined;
    },
  });
  await using session = await open({ type: 'http', url: server.url, headers: {} });
  assert.deepEqual(await toolNames(session), ['echo']);
});

const block = 'x'.repeat(1024 * 1024);

const tooLarge: Readonly<Record<string, (exchange: Exchange) => void>> = {
  'a body': ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (let count = 0; count < 40; count++) response.write(block);
    response.end();
  },
  'an event': ({ response }) => {
    response.writeHead(200, eventStream).write('data: ');
    for (let count = 0; count < 40; count++) response.write(block);
    response.end();
  },
};

for (const [name, respond] of Object.entries(tooLarge)) {
  test(`${name} of more than 32 MiB ends the call with the limit, not the memory`, async () => {
    const error = await outcome({
      'tools/call': (exchange) => {
        respond(exchange);
        return undefined;
      },
    });
    assert.match((error as Error).message, /more than 33554432 bytes/);
  });
}

test('many events that are large together pass', async () => {
  const result = await outcome({
    'tools/call': ({ response, message }) => {
      response.writeHead(200, eventStream);
      for (let count = 0; count < 40; count++) response.write(`: ${block}\r\n\r\n`);
      const answer = { jsonrpc: '2.0', id: message['id'], result: { content: [] } };
      response.end(`data: ${JSON.stringify(answer)}\n\n`);
      return undefined;
    },
  });
  assert.deepEqual(result, { content: [] });
});

test('a cancelled call tells the server and frees its connection', async () => {
  let closed: Promise<unknown> | undefined;
  await using server = await startScripted({
    'tools/call': ({ response }) => {
      closed = once(response, 'close');
      return undefined;
    },
  });
  await using session = await open({ type: 'http', url: server.url, headers: {} });
  const controller = new AbortController();
  const calling = call(session, 'echo', {}, { signal: controller.signal });
  await eventually('the call arrives', () => closed !== undefined);
  controller.abort();
  await assert.rejects(calling, { name: 'AbortError' });
  await closed;
  assert.ok(server.methods.includes('notifications/cancelled'));
});

test('a server that answers GET with something else than an event stream is not asked again', async () => {
  await using server = await startScripted({ GET: () => ({}) });
  await using session = await open({ type: 'http', url: server.url, headers: {} });
  assert.deepEqual(await toolNames(session), ['echo']);
  await new Promise((resolve) => {
    setTimeout(resolve, 2500);
  });
  assert.equal(server.methods.filter((method) => method === 'GET').length, 1);
});

test('a server that closes its event stream with "retry: 0" is not flooded', async () => {
  await using server = await startScripted({
    GET: ({ response }) => {
      response.writeHead(200, eventStream).end('retry: 0\n\n');
      return undefined;
    },
  });
  await using session = await open({ type: 'http', url: server.url, headers: {} });
  assert.deepEqual(await toolNames(session), ['echo']);
  await new Promise((resolve) => {
    setTimeout(resolve, 1500);
  });
  const count = server.methods.filter((method) => method === 'GET').length;
  assert.ok(count >= 2 && count <= 7, `${count} times`);
});
