import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Client as SecondClient,
  InMemoryTransport as SecondTransport,
} from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as FirstTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as SecondServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { DuckTypedClient } from '../../src/api.ts';
import { TestClients, duckOf, failureOf, tool } from '../support/clients.ts';
import { eventually } from '../support/eventually.ts';

const info = { name: 'in process', version: '1.0.0' };
/** Of the call that never answers. */
const cancelled: string[] = [];

/** A connected client of the first generation of the SDK and its server. */
async function firstGeneration() {
  const server = new FirstServer(info);
  server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool('hang', {}, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    cancelled.push('first');
    return { content: [] };
  });
  const client = new FirstClient(info);
  const [left, right] = FirstTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  const addTool = (): unknown => server.registerTool('late', {}, () => ({ content: [] }));
  return { client, addTool, close: () => client.close() };
}

/** The same of the second. */
async function secondGeneration() {
  const server = new SecondServer(info);
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool('hang', {}, async ({ mcpReq: { signal } }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    cancelled.push('second');
    return { content: [] };
  });
  const client = new SecondClient(info);
  const [left, right] = SecondTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  const addTool = (): unknown => server.registerTool('late', {}, () => ({ content: [] }));
  return { client, addTool, close: () => client.close() };
}

for (const [generation, connect] of [
  ['first', firstGeneration],
  ['second', secondGeneration],
] as const) {
  test(`a client of the ${generation} generation of the SDK works as it is`, async () => {
    const { client, addTool, close } = await connect();
    client satisfies DuckTypedClient;
    let fire = (): void => assert.fail('nobody subscribed');
    let isSubscribed = false;
    using clients = await TestClients.of(
      {
        client,
        onToolsChanged: (listener: () => void) => {
          fire = listener;
          isSubscribed = true;
          return { dispose: () => (isSubscribed = false) };
        },
      },
      { timeouts: { call: 1 } },
    );
    assert.equal(clients.view()?.state.kind, 'running');
    assert.deepEqual(clients.toolNames(), ['echo', 'hang']);
    assert.deepEqual(await clients.call('echo', { text: 'hi' }), {
      kind: 'answer',
      result: { content: [{ type: 'text', text: 'hi' }] },
    });

    addTool();
    for (let times = 0; times < 20; times++) fire();
    await eventually('the new tool is listed', () => clients.toolNames().includes('late'));

    const late = failureOf(await clients.call('hang'));
    assert.equal(late.code, 'timedOut');
    assert.match(late.message, /no answer within 1 s .* "timeouts\.call"/);
    await eventually('the server is told', () => cancelled.includes(generation));

    const controller = new AbortController();
    const calling = clients.call('hang', {}, controller.signal);
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(calling, { name: 'AbortError' });

    const cut = clients.call('hang');
    setTimeout(() => void close(), 50);
    const lost = failureOf(await cut);
    assert.match(lost.message, /Whether the call took effect is unknown and it was not repeated/);
    clients.host.dispose();
    assert.equal(isSubscribed, false);
  });
}

test('a stopped, disabled or removed client is not called', async () => {
  const duck = duckOf(tool('a'));
  const clients = new TestClients();
  using _ = clients;
  const remove = await clients.register('it', { client: duck });
  clients.update();
  await clients.settled();
  await clients.host.stop('extension:pub.ext/it');
  assert.match(failureOf(await clients.call('a')).message, /the user stopped it in the sidebar/);
  assert.deepEqual(clients.toolNames(), ['a'], 'its tools stay known');
  await clients.host.start('extension:pub.ext/it');
  clients.update({ it: { enabled: false } });
  assert.match(failureOf(await clients.call('a')).message, /switched off/);
  remove();
  clients.update();
  assert.deepEqual(clients.host.servers, []);
  assert.match(failureOf(await clients.call('a')).message, /has taken it away/);
  assert.deepEqual(duck.calls, []);
});

test('removing a client gives up its running calls', async () => {
  const signals: AbortSignal[] = [];
  const client = {
    ...duckOf(tool('a')),
    callTool: (_params: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  };
  const clients = new TestClients();
  using _ = clients;
  const remove = await clients.register('it', { client });
  clients.update();
  await clients.settled();
  const calling = clients.call('a');
  await eventually('the client is called', () => signals.length > 0);
  remove();
  clients.update();
  assert.match(failureOf(await calling).message, /connection .* was lost .*\(it was stopped\)/);
  assert.equal(signals[0]?.aborted, true);
});

test('what throws on subscribing or unsubscribing harms nobody else', async () => {
  const clients = new TestClients();
  const broken = (): never => {
    throw new Error('no events');
  };
  await clients.register('one', { client: duckOf(tool('a')), onToolsChanged: broken });
  await clients.register('two', { client: duckOf(tool('b')), onToolsChanged: () => broken });
  clients.update();
  await clients.settled('one');
  await clients.settled('two');
  assert.deepEqual([clients.toolNames('one'), clients.toolNames('two')], [['a'], ['b']]);
  clients.host.dispose();
  assert.match(clients.log.text, /warn: \[one\] changes of its tools are not noticed: no events/);
  assert.match(clients.log.text, /warn: \[two\] unsubscribing failed: no events/);
});
