import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ListChanges } from '../../src/mcp/listChanges.ts';
import { Egress } from '../../src/mcp/egress/egress.ts';
import { connectionRefused } from '../../src/mcp/httpFailure.ts';
import type { Exchange, Script } from '../servers/scriptedHttp.ts';
import { startSubscriptions } from '../servers/subscriptions.ts';
import { eventually } from '../support/eventually.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;

const ends: Readonly<Record<string, (exchange: Exchange['response']) => void>> = {
  'is cut': (response) => response.destroy(),
  'is ended by the server': (response) => response.end(),
};

for (const [name, end] of Object.entries(ends)) {
  test(`a subscription that ${name} is opened again, and the list read for what was missed`, async () => {
    await using server = await startSubscriptions();
    await using all = new TestSupervisor();
    all.host.update([wantedOf('s', launchAt(server.url))]);
    await all.ready('s');
    await eventually('the subscription', () => server.streams.size === 1);
    server.rename('second');
    server.tell();
    await eventually('the change told', () => all.toolNames('s')?.[0] === 'second');
    for (const stream of server.streams) end(stream);
    await eventually('no subscription', () => server.streams.size === 0);
    server.rename('third');
    await eventually('the change missed', () => all.toolNames('s')?.[0] === 'third');
    assert.equal(server.asked, 2);
    assert.equal(all.kind('s'), 'running');
    await all.host.stop('user/s');
    await eventually('the subscription is given up', () => server.streams.size === 0);
  });
}

/** What becomes of the subscription at a server that behaves so; up to four openings, without waiting between. */
async function subscribe(script: Script) {
  await using server = await startSubscriptions(script);
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const log = new RecordingLogger();
  let openings = 0;
  const backoff = { next: () => (++openings < 4 ? 0 : undefined) };
  const changes = new ListChanges(client, log, backoff);
  const { fetch } = new Egress({
    ...{ role: 'server', url: server.url, network: undefined },
    failure: connectionRefused,
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { fetch }));
  let failures = 0;
  changes.onDidFail(() => {
    failures += 1;
  });
  let ended: string | undefined;
  changes.onDidEnd((why) => {
    ended = why;
  });
  changes.start();
  const reason = await eventually(
    'the end or a refusal',
    () => ended ?? /refuses to tell.*/.exec(log.text)?.[0],
  );
  const { tools } = await client.listTools();
  changes.dispose();
  await client.close();
  return { reason, asked: server.asked, failures, isUsable: tools.length === 1 };
}

test('a subscription that never lasts is given up, and the server stays in use', async () => {
  const outcome = await subscribe({
    'subscriptions/listen': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': bye\n\n');
      return undefined;
    },
  });
  const { reason, ...rest } = outcome;
  assert.match(reason, /stream ended/);
  assert.deepEqual(rest, { asked: 4, failures: 4, isUsable: true });
});

test('a server that refuses the subscription is asked once', async () => {
  const refusals: readonly Script[] = [
    {
      'subscriptions/listen': ({ response, message }) => {
        const error = { code: -32_601, message: 'no such method' };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error }));
        return undefined;
      },
    },
    {
      'subscriptions/listen': ({ response }) => {
        response.writeHead(404).end();
        return undefined;
      },
    },
  ];
  for (const refusal of refusals) {
    const { reason, ...rest } = await subscribe(refusal);
    assert.match(reason, /refuses to tell/);
    assert.deepEqual(rest, { asked: 1, failures: 0, isUsable: true });
  }
});

test('a server that does not confirm the subscription is ready at once all the same', async () => {
  await using server = await startSubscriptions({ 'subscriptions/listen': () => undefined });
  await using all = new TestSupervisor();
  const startedAt = performance.now();
  all.host.update([wantedOf('s', launchAt(server.url))]);
  await all.ready('s');
  assert.ok(performance.now() - startedAt < 5000);
});
