import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeError } from '../../src/core/failures.ts';
import { startScripted, type Exchange } from '../servers/scriptedHttp.ts';
import { call, open } from '../support/sessions.ts';

const { signal } = new AbortController();
const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** A tool whose parameter `region` is repeated in a header of this name. */
const toolWith = (name: string, header: string) => ({
  name,
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': header } },
  },
});

/** Speaks the revision without a handshake, lists `tools` and keeps the headers `mcp-param-…` of calls. */
async function startMirrored(
  tools: () => object[],
  refuses: (exchange: Exchange) => boolean = () => false,
) {
  const seen: Record<string, unknown>[] = [];
  const server = await startScripted({
    'server/discover': () => ({
      ...complete,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo: { name: 'mirrored', version: '1' },
    }),
    'tools/list': () => ({ ...complete, tools: tools() }),
    'tools/call': (exchange) => {
      const headers = Object.entries(exchange.request.headers);
      seen.push(Object.fromEntries(headers.filter(([name]) => name.startsWith('mcp-param-'))));
      if (refuses(exchange)) return refuse(exchange);
      return { resultType: 'complete', content: [] };
    },
  });
  const launch = { type: 'http', url: server.url, headers: {} } as const;
  return Object.assign(server, { seen, launch });
}

function refuse({ response, message }: Exchange): undefined {
  const error = { code: -32_020, message: 'Mcp-Param-Region is missing' };
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error }));
}

test('arguments are repeated in the headers that a tool asks for', async () => {
  await using server = await startMirrored(() => [toolWith('a', 'Region')]);
  await using session = await open(server.launch);
  await session.listTools(20, signal);
  await call(session, 'a', { region: 'Köln' });
  await call(session, 'a');
  assert.deepEqual(server.seen, [{ 'mcp-param-region': '=?base64?S8O2bG4=?=' }, {}]);
});

test('a tool that asks for an impossible header is left out and told', async () => {
  await using server = await startMirrored(() => [toolWith('bad', 'a b'), toolWith('good', 'Ab')]);
  await using session = await open(server.launch);
  const { tools, problems } = await session.listTools(20, signal);
  assert.deepEqual(
    [tools.map(({ name }) => name), problems],
    [
      ['good'],
      [
        {
          where: 'bad',
          message:
            '"bad" is left out: "x-mcp-header" of its parameter "region" is no name of a header.',
        },
      ],
    ],
  );
});

test('a server with a handshake knows no such headers: nothing is left out or repeated', async () => {
  await using server = await startMirrored(() => [toolWith('bad', 'a b'), toolWith('a', 'Ab')]);
  await using session = await open(server.launch, { protocol: 'legacy' });
  const { tools, problems } = await session.listTools(20, signal);
  await call(session, 'a', { region: 'x' });
  assert.deepEqual([tools.length, problems, server.seen], [2, [], [{}]]);
});

test('a call that misses headers reads the list and is sent once more', async () => {
  let header = 'Old';
  const misses = ({ request }: Exchange): boolean =>
    request.headers[`mcp-param-${header.toLowerCase()}`] === undefined;
  await using server = await startMirrored(() => [toolWith('a', header)], misses);
  await using session = await open(server.launch);
  // Not listed yet in this session, as when its tools are known from an earlier one.
  await call(session, 'a', { region: 'x' });
  header = 'New';
  await call(session, 'a', { region: 'x' });
  assert.deepEqual(server.seen, [
    {},
    { 'mcp-param-old': 'x' },
    { 'mcp-param-old': 'x' },
    { 'mcp-param-new': 'x' },
  ]);
});

test('a call whose headers are refused all the same is not sent again', async () => {
  await using server = await startMirrored(
    () => [toolWith('a', 'Region')],
    () => true,
  );
  await using session = await open(server.launch);
  await session.listTools(20, signal);
  await assert.rejects(call(session, 'a', { region: 'x' }), (error: BridgeError) => {
    assert.match(error.message, /answered the call of "a" with an error: Mcp-Param-Region is/);
    return true;
  });
  assert.equal(server.seen.length, 1);
});
