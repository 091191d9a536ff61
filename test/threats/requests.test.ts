import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { authFetch } from '../../src/mcp/auth/authFetch.ts';
import { addressRefused } from '../../src/mcp/auth/signInFailure.ts';
import { Egress } from '../../src/mcp/egress/egress.ts';
import { TestBridge } from '../cases/testBridge.ts';
import { callTool, textOf } from '../cases/toolCalls.ts';
import { listen } from '../servers/listen.ts';
import { startScripted } from '../servers/scriptedHttp.ts';
import { networkOf, portOf, sentinel } from '../support/network.ts';
import { open, openFailure, toolNames } from '../support/sessions.ts';
import { sourceFiles } from '../support/sources.ts';

const launchAt = (url: string) =>
  ({ type: 'http', url, headers: { 'x-key': 'hdr-53cr3t' } }) as const;
const { signal } = new AbortController();
const files = sourceFiles();

test('T20 documents of a sign-in are not followed to another server', async () => {
  await using trap = await sentinel();
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await listen((_request, response) => {
      response.writeHead(status, { location: `${trap.url}/stolen` }).end();
    });
    const egress = new Egress({
      ...{ role: 'document', url: server.url, network: undefined },
      failure: addressRefused,
    });
    const fetch = authFetch(egress, signal);
    const response = await fetch(server.url, {
      ...{ method: 'POST', headers: { authorization: 'Basic x' }, body: 'refresh_token=x' },
    });
    assert.equal(response.status, status);
    await assert.rejects(discoverOAuthProtectedResourceMetadata(server.url, {}, fetch));
  }
  assert.deepEqual(trap.requests, []);
});

test('T27 an event stream does not name another server to send messages to', async () => {
  await using trap = await sentinel();
  await using server = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: endpoint\ndata: ${trap.url}\n\n`);
  });
  await openFailure({ ...launchAt(server.url), type: 'sse' }, { connectSeconds: 3 });
  assert.deepEqual(trap.requests, []);
});

test('T28 a server that is not on this machine is not reached without TLS, whoever names it', async () => {
  await using trap = await sentinel();
  const network = networkOf({ 'mcp.example.com': ['127.0.0.1'], 'nas.lan': ['192.168.1.2'] });
  for (const host of ['mcp.example.com', 'nas.lan', '192.168.1.2', '[fd00::1]', '93.184.215.14']) {
    for (const scope of ['user', 'workspace', 'extension'] as const) {
      const url = `http://${host}:${portOf(trap)}/mcp`;
      const { code, message } = await openFailure(launchAt(url), { network, origin: { scope } });
      assert.equal(code, 'addressRefused');
      assert.match(message, /does not begin with https:\/\/.*mcpBridge\.network\.allowedHosts/);
    }
  }
  assert.deepEqual([trap.requests, network.asked], [[], []]);
});

test('T28 nothing switches the check of certificates off', () => {
  const off = /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity|strictSSL/;
  assert.deepEqual(
    files.filter(({ text }) => off.test(text)),
    [],
  );
});

test('T43 T46 addresses in what a server says of itself and its tools are not fetched', async () => {
  await using trap = await sentinel();
  const icons = [{ src: trap.url, mimeType: 'image/png', sizes: ['any'] }];
  const tool = (name: string, property: object) => ({
    ...{ name, icons, _meta: { 'ui/icon': trap.url, 'openai/outputTemplate': trap.url } },
    inputSchema: { $schema: trap.url, type: 'object', properties: { x: property } },
  });
  await using server = await startScripted({
    initialize: ({ message }) => ({
      protocolVersion: (message['params'] as Record<string, unknown>)['protocolVersion'],
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1', icons, websiteUrl: trap.url },
    }),
    'tools/list': () => ({
      tools: [tool('echo', { type: 'string' }), tool('remote', { $ref: `${trap.url}#/x` })],
    }),
    'tools/call': () => ({
      content: [
        { type: 'text', text: 'ok' },
        { type: 'resource_link', uri: trap.url, name: 'link', icons },
      ],
    }),
  });
  await using bridge = new TestBridge({ srv: { url: server.url } });
  assert.equal((await bridge.settled('srv')).kind, 'running');
  assert.ok(bridge.exposed('srv').length >= 1);
  const { outcome } = await callTool(bridge, 'srv__echo', { x: 'a' });
  assert.match(textOf(outcome) ?? '', /ok/);
  await callTool(bridge, 'srv__remote', { x: 'a' });
  assert.deepEqual(trap.requests, []);
});

test('a server of this machine gets requests that no web page could have made, and nothing of the user’s', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const note = (headers: IncomingHttpHeaders): void => void seen.push(headers);
  await using server = await startScripted({
    initialize: ({ request, response, message }) => {
      note(request.headers);
      response.setHeader('set-cookie', 'session=ambient');
      response.setHeader('mcp-session-id', 'abc');
      return {
        protocolVersion: (message['params'] as Record<string, unknown>)['protocolVersion'],
        capabilities: { tools: {} },
        serverInfo: { name: 'scripted', version: '1' },
      };
    },
    'tools/list': ({ request }) => {
      note(request.headers);
      return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
    },
    GET: ({ request, response }) => {
      note(request.headers);
      response.writeHead(405).end();
      return undefined;
    },
    DELETE: ({ request, response }) => {
      note(request.headers);
      response.writeHead(200).end();
      return undefined;
    },
  });
  const { host, port } = new URL(server.url);
  const headers = { Host: 'evil.example', Connection: 'upgrade', Upgrade: 'h2c', 'X-Own': 'yes' };
  for (const url of [server.url, `http://localhost:${port}/mcp`]) {
    const session = await open({ type: 'http', url, headers }, { protocol: 'legacy' });
    assert.deepEqual(await toolNames(session), ['echo']);
    await session.close();
  }
  assert.ok(seen.length >= 6);
  assert.deepEqual(new Set(seen.map((one) => one.host)), new Set([host, `localhost:${port}`]));
  const usual = new Set([
    ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'],
    ...['mcp-protocol-version', 'mcp-session-id', 'x-own'],
  ]);
  const others = seen.flatMap((one) => Object.keys(one).filter((name) => !usual.has(name)));
  assert.deepEqual(others, []);
  assert.ok(seen.every((one) => one.connection === 'keep-alive' && one['x-own'] === 'yes'));
});

test('a login in the address is not sent; the person learns where it belongs', async () => {
  await using trap = await sentinel();
  const url = `http://user:s3cretpass@127.0.0.1:${portOf(trap)}/mcp`;
  const { code, message } = await openFailure({ type: 'http', url, headers: {} });
  assert.equal(code, 'addressRefused');
  assert.match(message, /holds a user name or password.*"headers": \{ "Authorization"/);
  assert.doesNotMatch(message, /s3cretpass/);
  assert.deepEqual(trap.requests, []);
});

/** Modules that make connections, or listen for some. */
const network = /^(node:)?(https?|http2|net|tls|dgram|dns|dns\/promises)$|^undici(\/|$)|^ws$/;

test('T18 only the egress module goes out to the network; signing in listens on this machine', () => {
  const users = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier, kind }) => network.test(specifier) && kind !== 'type')
      .map(({ specifier }) => `${path} ${specifier}`),
  );
  assert.deepEqual(users.toSorted(), [
    'src/mcp/auth/loopbackCallback.ts node:http',
    'src/mcp/egress/nodeFetch.ts http',
    'src/mcp/egress/nodeFetch.ts https',
    'src/mcp/egress/vettedLookup.ts node:dns/promises',
  ]);
  const callback = files.find(({ path }) => path === 'src/mcp/auth/loopbackCallback.ts');
  assert.match(
    callback?.text ?? '',
    /import \{ createServer, type IncomingMessage, type Server, type ServerResponse \} from 'node:http'/,
  );
  // Of what is everywhere: no call of a `fetch` that is not a member, no other way out.
  const ways =
    /(?<![.#\w])fetch\(|\b(globalThis|window|self)\.fetch\b|\b(WebSocket|EventSource|XMLHttpRequest)\b/;
  assert.deepEqual(
    files.filter(({ text }) => ways.test(text)).map(({ path }) => path),
    [],
  );
  // The transports of the SDK, and its functions for signing in, use `fetch` unless they are given another.
  const wanting = files.flatMap(({ path, text }) =>
    [...text.matchAll(/new (SSEClientTransport|StreamableHTTPClientTransport)\(([^)]*)\)/g)]
      .filter(([, , given = '']) => !/\binit\b/.test(given))
      .map(([call]) => `${path} ${call}`),
  );
  const signIn = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bawait (?:discover\w+|refreshAuthorization|auth)\((.*?)\);/gs)].map(
      ([, given = '']) => `${path} ${/\bfetchFn\b|\brequest\b/.test(given)}`,
    ),
  );
  assert.ok(signIn.length >= 6);
  assert.deepEqual([wanting, signIn.filter((call) => call.endsWith('false'))], [[], []]);
});
