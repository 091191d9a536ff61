import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeError } from '../../src/core/failures.ts';
import { BusyError, whenNotBusy } from '../../src/mcp/retryAfter.ts';
import { startScripted, type Exchange, type ScriptedServer } from '../servers/scriptedHttp.ts';
import { call, open, openFailure, toolNames } from '../support/sessions.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;

/** Turns the first request away that is one of this method. */
function busyOnce(method: string, status: number, retryAfter: string): Promise<ScriptedServer> {
  let isFirst = true;
  return startScripted({
    [method]: ({ response, message }: Exchange) => {
      if (isFirst) {
        isFirst = false;
        response.writeHead(status, { 'retry-after': retryAfter }).end();
        return undefined;
      }
      if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: {} }] };
      const { protocolVersion } = message['params'] as { protocolVersion: string };
      return {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
    },
  });
}

const soon = (): string => new Date(Date.now() + 2000).toUTCString();
const turnedAway: readonly (readonly [method: string, status: number, retryAfter: string])[] = [
  ['initialize', 429, '1'],
  ['initialize', 503, '1'],
  ['tools/list', 429, '1'],
  ['tools/list', 503, soon()],
];

for (const [method, status, retryAfter] of turnedAway) {
  test(`${method} is made again when HTTP ${status} asks to wait (${retryAfter})`, async () => {
    await using server = await busyOnce(method, status, retryAfter);
    const startedAt = performance.now();
    await using session = await open(launchAt(server.url), { protocol: 'legacy' });
    assert.deepEqual(await toolNames(session), ['echo']);
    const waited = performance.now() - startedAt;
    assert.ok(waited >= 950 && waited < 5000, `${waited} ms`);
    assert.equal(server.methods.filter((name) => name === method).length, 2);
  });
}

test('a start fails at once when the server asks for more time than there is', async () => {
  await using server = await busyOnce('initialize', 429, '40');
  const startedAt = performance.now();
  const { message } = await openFailure(launchAt(server.url), { protocol: 'legacy' });
  assert.match(message, /too much to do \(HTTP 429\) and asks to wait 40 s/);
  assert.ok(performance.now() - startedAt < 2000);
});

test('a call that is turned away is not repeated, and the model told what it may do', async () => {
  await using server = await startScripted({
    'tools/call': ({ response }) => {
      response.writeHead(429, { 'retry-after': '1' }).end();
      return undefined;
    },
  });
  await using session = await open(launchAt(server.url));
  const error = await call(session, 'echo').then(
    () => undefined,
    (reason: unknown) => reason as BridgeError,
  );
  assert.match(error?.message ?? '', /HTTP 429.*asks to wait 1 s.*The call was not carried out/);
  assert.doesNotMatch(error?.message ?? '', /unknown/);
  assert.equal(server.methods.filter((method) => method === 'tools/call').length, 1);
});

test('nobody is asked without end, nor longer than the time there is', async () => {
  const headers = { 'retry-after': '1' };
  const requests = async (method: string, patience: number): Promise<number> => {
    let sent = 0;
    const send = async (): Promise<Response> => {
      sent += 1;
      return new Response(null, { status: 503, headers });
    };
    await assert.rejects(whenNotBusy(method, patience, undefined, send), BusyError);
    return sent;
  };
  const sent = await Promise.all([
    requests('tools/list', 60),
    requests('tools/list', 2),
    requests('tools/list', 0.5),
    requests('tools/call', 60),
  ]);
  assert.deepEqual(sent, [4, 3, 1, 1]);
});

test('waiting ends with the request', async () => {
  const abort = new AbortController();
  const send = (): Promise<Response> =>
    Promise.resolve(new Response(null, { status: 429, headers: { 'retry-after': '30' } }));
  const waiting = whenNotBusy('tools/list', 60, abort.signal, send);
  abort.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
});
