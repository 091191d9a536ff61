import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { startLegacySse } from '../servers/legacySse.ts';
import { createEcho } from '../servers/streamableHttp.ts';
import { startScripted, type Script } from '../servers/scriptedHttp.ts';
import { eventually } from '../support/eventually.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;
const eventStream = { 'content-type': 'text/event-stream' };

/** A server of an older revision with an event stream, whose tool has the name that `tool` gives. */
function streaming(streams: Set<ServerResponse>, tool: () => string): Script {
  return {
    GET: ({ response }) => {
      response.writeHead(200, eventStream).write(': hello\n\n');
      streams.add(response);
      response.once('close', () => streams.delete(response));
      return undefined;
    },
    'tools/list': () => ({ tools: [{ name: tool(), inputSchema: { type: 'object' } }] }),
  };
}

test('an event stream that was cut is opened again, and the lists read for what was missed', async () => {
  const streams = new Set<ServerResponse>();
  let tool = 'first';
  await using server = await startScripted(streaming(streams, () => tool));
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchAt(server.url))]);
  await all.ready('s');
  const [stream] = await eventually('the stream', () => streams.size > 0 && [...streams]);
  tool = 'second';
  stream?.destroy();
  await eventually('the change missed', () => all.toolNames('s')?.[0] === 'second');
  assert.equal(all.kind('s'), 'running');
  assert.equal(server.methods.filter((method) => method === 'initialize').length, 1);
});

test('an event stream that is not there any more is told of in the log and in the problems', async () => {
  const streams = new Set<ServerResponse>();
  const script = streaming(streams, () => 'echo');
  let isThere = true;
  await using server = await startScripted({
    ...script,
    GET: (exchange) => {
      if (isThere) return script['GET']?.(exchange);
      exchange.response.writeHead(405).end();
      return undefined;
    },
  });
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchAt(server.url))]);
  await all.ready('s');
  const [stream] = await eventually('the stream', () => streams.size > 0 && [...streams]);
  isThere = false;
  stream?.end();
  const problems = (): string => JSON.stringify(all.server('s')?.tools?.problems);
  await eventually('the problem', () => /told no longer \(HTTP 405\)/.test(problems()));
  assert.match(all.log.text, /changes of its lists are told no longer: HTTP 405/);
  await all.host.refresh('user/s');
  assert.match(problems(), /told no longer/);
  const outcome = await all.call('s', 'echo');
  assert.equal(outcome.kind, 'result');
});

test('calls over HTTP+SSE fail at once when the stream is cut, and a new session follows', async () => {
  let isCalled = false;
  const create = () => {
    const echo = createEcho();
    echo.registerTool('hang', {}, () => {
      // By then its POST has been answered, and only the stream owes something.
      setTimeout(() => {
        isCalled = true;
      }, 200);
      return new Promise<never>(() => undefined);
    });
    return echo;
  };
  await using server = await startLegacySse(405, create);
  await using proxy = await startTcpProxy(server.url);
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', { ...launchAt(proxy.url), type: 'sse' })]);
  await all.ready('s');
  const call = all.call('s', 'hang');
  await eventually('the call arrives', () => isCalled);
  const startedAt = performance.now();
  await proxy.down();
  await proxy.up();
  const lost = await call;
  assert.ok(performance.now() - startedAt < 2000, 'it waited');
  assert.ok(lost.kind === 'failure' && lost.code === 'connectionLost', JSON.stringify(lost));
  assert.match(lost.message, /event stream was cut.*unknown/s);
  const next = await all.call('s', 'echo', { text: 'again' });
  assert.deepEqual(next.kind === 'result' && next.parts, [{ kind: 'text', text: 'again' }]);
  const streams = server.requests.filter((request) => request.startsWith('GET'));
  assert.equal(streams.length, 2);
});
