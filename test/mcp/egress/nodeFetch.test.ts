import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BridgeError } from '../../../src/core/failures.ts';
import { nodeFetch, type AddressGate } from '../../../src/mcp/egress/nodeFetch.ts';
import { systemResolve, vettedLookup } from '../../../src/mcp/egress/vettedLookup.ts';
import { listen } from '../../servers/listen.ts';

const refused = new BridgeError('addressRefused', 'no');

function gateOf(refuses: () => boolean): AddressGate & { readonly checked: string[] } {
  const checked: string[] = [];
  const refusal = (address: string): BridgeError | undefined => {
    checked.push(address);
    return refuses() ? refused : undefined;
  };
  return { checked, refusal, lookup: vettedLookup(refusal, systemResolve) };
}

test('a connection that is used again is checked again, whoever made it', async () => {
  await using server = await listen((_request, response) => response.end('fine'));
  const url = `http://localhost:${new URL(server.url).port}/mcp`;
  let isRefused = false;
  const gate = gateOf(() => isRefused);
  assert.equal(await (await nodeFetch(url, {}, gate)).text(), 'fine');
  const first = gate.checked.length;
  assert.equal(await (await nodeFetch(url, {}, gate)).text(), 'fine');
  assert.deepEqual(gate.checked.slice(first), ['127.0.0.1']);
  isRefused = true;
  await assert.rejects(nodeFetch(url, {}, gate), refused);
  assert.equal(server.requests.length, 2);
});

test('a connection that is used again before it stands is checked when it does', async () => {
  await using server = await listen((_request, response) => response.end('fine'));
  const url = `http://localhost:${new URL(server.url).port}/mcp`;
  const abort = new AbortController();
  const first = nodeFetch(
    url,
    { signal: abort.signal },
    gateOf(() => false),
  );
  // Node keeps the connection that it has begun to make.
  abort.abort();
  await assert.rejects(first, { name: 'AbortError' });
  // Its own lookup is not asked any more.
  const lookup = vettedLookup(() => undefined, systemResolve);
  await assert.rejects(nodeFetch(url, {}, { ...gateOf(() => true), lookup }), refused);
  assert.deepEqual(server.requests, []);
});

test('the address of the request decides about its host, not a header', async () => {
  let headers: object = {};
  await using server = await listen((request, response) => {
    headers = request.headers;
    response.end();
  });
  const sent = { Host: 'evil.example', 'Content-Length': '1', TE: 'trailers', 'X-Own': 'yes' };
  await nodeFetch(
    server.url,
    { method: 'POST', headers: sent, body: 'body' },
    gateOf(() => false),
  );
  assert.deepEqual(headers, {
    ...{ host: new URL(server.url).host, 'content-length': '4', 'x-own': 'yes' },
    ...{ 'accept-encoding': 'identity', connection: 'keep-alive' },
  });
});
