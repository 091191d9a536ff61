import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import type { NetworkPorts } from '../../src/core/network/networkPorts.ts';
import { authFetch } from '../../src/mcp/auth/authFetch.ts';
import { addressRefused } from '../../src/mcp/auth/signInFailure.ts';
import { Egress } from '../../src/mcp/egress/egress.ts';
import { connectionRefused } from '../../src/mcp/httpFailure.ts';
import { listen } from '../servers/listen.ts';
import { startScripted } from '../servers/scriptedHttp.ts';
import { eventually } from '../support/eventually.ts';
import { networkOf, portOf, sentinel } from '../support/network.ts';
import { call, open, openFailure, toolNames, type OpenTestOptions } from '../support/sessions.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

const launchAt = (url: string) =>
  ({ type: 'http', url, headers: { 'x-key': 'hdr-53cr3t' } }) as const;
const { signal } = new AbortController();

const metadata = ['169.254.169.254'];
const names: Readonly<Record<string, readonly string[]>> = {
  'private.example.com': ['10.0.0.5'],
  'mixed.example.com': ['93.184.215.14', '10.0.0.5'],
  'mixed6.example.com': ['2606:4700::1111', '::1'],
  'loop.example.com': ['127.0.0.1'],
  'loop6.example.com': ['::1', '::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::a9fe:a9fe'],
  'cloud.example.com': metadata,
  'metadata.google.internal': metadata,
  localhost: ['127.0.0.1'],
  'api.default.svc.cluster.local': ['127.0.0.1'],
};

/** Addresses no server may lead us to; the port is that of the sentinel. */
const hostile = (port: string): string[] =>
  [
    // The cases of docker/mcp-gateway.
    `http://example.com:${port}/mcp`,
    `https://user:pass@example.com:${port}/mcp`,
    'ftp://example.com/mcp',
    `https://localhost:${port}/mcp`,
    `https://127.0.0.1:${port}/mcp`,
    `https://[::1]:${port}/mcp`,
    `https://[::ffff:127.0.0.1]:${port}/mcp`,
    'https://[64:ff9b::a9fe:a9fe]/mcp',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/mcp',
    `https://api.default.svc.cluster.local:${port}/mcp`,
    'https://metadata.google.internal/computeMetadata/v1',
    `https://private.example.com:${port}/mcp`,
    `https://mixed.example.com:${port}/mcp`,
    // Other spellings, other networks.
    ...[
      '0x7f000001',
      '2130706433',
      '127.1',
      '0177.0.0.1',
      '127.0.0.1.',
      '１２７.0.0.1',
      'localhost.',
    ],
    ...['LOCALHOST', 'a.localhost', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[64:ff9b::7f00:1]'],
    ...[
      '[::7f00:1]',
      '0.0.0.0',
      '0',
      '[::]',
      '100.64.0.1',
      '198.18.0.1',
      '192.168.0.1',
      '224.0.0.1',
    ],
    ...['172.16.0.1', '[fd00::1]', '[fe80::1]', '[fec0::1]', '[2002:7f00:1::]', '[fd00:ec2::254]'],
    ...['0xa9fea9fe', '100.100.100.200', 'metadata', 'nas', 'nas.lan', 'mixed6.example.com'],
    ...['loop.example.com', 'loop6.example.com', 'nat64.example.com', 'cloud.example.com'],
  ].map((text) => (text.includes('://') ? text : `https://${text}:${port}/mcp`));

test('T18 metadata of a sign-in are not fetched from where no public server is', async () => {
  await using trap = await sentinel();
  const network = networkOf(names);
  const egress = new Egress({
    ...{ role: 'document', url: 'https://mcp.example.com/mcp', network },
    failure: addressRefused,
  });
  const fetch = authFetch(egress, signal);
  for (const url of [...hostile(portOf(trap)), `http://127.0.0.1:${portOf(trap)}/mcp`]) {
    await assert.rejects(fetch(url), (error: TypeError) => {
      assert.match(String(error.cause), /which is not used because/, url);
      return error instanceof TypeError;
    });
    const options = { resourceMetadataUrl: new URL(url) };
    await assert.rejects(
      discoverOAuthProtectedResourceMetadata('https://mcp.example.com/mcp', options, fetch),
    );
    const page = await egress.resolvedRefusal(url);
    assert.notEqual(page, undefined, `${url} as a page`);
  }
  assert.deepEqual(trap.requests, []);
});

test('T18 an entry of a workspace does not lead into a private network, nor does a name of the user lead here', async () => {
  await using trap = await sentinel();
  const local =
    /^(localhost\.?|a\.localhost|127\.0\.0\.1|\[::1\]|\[(::ffff:|64:ff9b::|::)7f00:1\])$/;
  const urls = hostile(portOf(trap)).filter((url) => {
    const { hostname, protocol } = new URL(url);
    // A server of this machine may be configured.
    return protocol !== 'ftp:' && !local.test(hostname);
  });
  assert.ok(urls.length > 30);
  const workspace: OpenTestOptions = {
    network: networkOf(names),
    origin: { scope: 'workspace' },
  };
  for (const url of urls) {
    for (const type of ['http', 'sse'] as const) {
      const { code, message } = await openFailure({ ...launchAt(url), type }, workspace);
      assert.equal(code, 'addressRefused', `${url}: ${message}`);
      assert.match(message, /mcpBridge\.network\.allowedHosts|"headers"|Write localhost/, url);
      assert.doesNotMatch(message, /53cr3t|pass@/);
    }
  }
  for (const host of ['loop', 'loop6', 'nat64', 'cloud', 'mixed6']) {
    const url = `https://${host}.example.com:${portOf(trap)}/mcp`;
    const { code } = await openFailure(launchAt(url), { network: networkOf(names) });
    assert.equal(code, 'addressRefused', url);
  }
  assert.deepEqual(trap.requests, []);
});

test('T18 what the setting of the user names is reached, and no longer when it is taken out', async () => {
  await using server = await startScripted({});
  const url = `http://loop.example.com:${portOf(server)}/mcp`;
  let allowed: readonly string[] = ['*.example.com'];
  const network = { ...networkOf(names), allowedHosts: () => allowed };
  const options: OpenTestOptions = { network, origin: { scope: 'workspace' } };
  await using session = await open(launchAt(url), options);
  assert.deepEqual(await toolNames(session), ['echo']);
  allowed = [];
  const seen = server.requests.length;
  await assert.rejects(call(session, 'echo'), {
    code: 'addressRefused',
    message: /not carried out/,
  });
  assert.equal(server.requests.length, seen);
});

test('T18 a server whose address is refused meanwhile is in error, and is reached again once it is allowed', async () => {
  await using server = await startScripted({});
  let allowed: readonly string[] = ['loop.example.com'];
  const network = { ...networkOf(names), allowedHosts: () => allowed };
  await using all = new TestSupervisor(undefined, undefined, network);
  const launch = launchAt(`http://loop.example.com:${portOf(server)}/mcp`);
  all.host.update([wantedOf('s', launch)]);
  await all.ready('s');
  allowed = [];
  const failed = await all.call('s', 'echo');
  assert.ok(failed.kind === 'failure' && failed.code === 'addressRefused');
  const state = await eventually(
    'the error',
    () => {
      const now = all.server('s')?.state;
      return now?.kind === 'error' && now.code === 'addressRefused' && now;
    },
    20_000,
  );
  assert.match(state.message, /add "loop\.example\.com" to the setting/);
  assert.equal(state.retryAt, undefined);
  allowed = ['*.example.com'];
  all.host.update([wantedOf('s', launch)]);
  await all.ready('s');
});

test('T19 what a name leads to is looked up once for a connection, and checked for each', async () => {
  await using trap = await sentinel();
  // The first stands for a public address, but leads to no network; nothing listens there.
  const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1'], ['::1']];
  let lookups = 0;
  const network: NetworkPorts = {
    allowedHosts: () => ['127.0.0.2'],
    resolve: async () => {
      const found = answers[lookups++] ?? [];
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
  const url = `https://rebind.example.com:${portOf(trap)}/mcp`;
  for (const role of ['server', 'document'] as const) {
    lookups = 0;
    const { fetch } = new Egress({ ...{ role, url, network }, failure: connectionRefused });
    await assert.rejects(fetch(url), TypeError);
    assert.equal(lookups, 1);
    for (const count of [2, 3, 4]) {
      await assert.rejects(fetch(url), {
        code: 'addressRefused',
        message: /which is this machine/,
      });
      assert.equal(lookups, count);
    }
  }
  assert.deepEqual(trap.requests, []);
});

test('T19 a redirect is a connection like any other', async () => {
  await using server = await listen((_request, response) => {
    response.writeHead(307, { location: '/next', connection: 'close' }).end();
  });
  let lookups = 0;
  const network: NetworkPorts = {
    allowedHosts: () => ['loop.example.com'],
    resolve: async () => [
      { address: (lookups += 1) === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 },
    ],
  };
  const launch = launchAt(`http://loop.example.com:${portOf(server)}/mcp`);
  const { code, message } = await openFailure(launch, { network, protocol: 'legacy' });
  assert.equal(code, 'addressRefused');
  assert.match(message, /leads to 169\.254\.169\.254, which is the metadata service of a cloud/);
  assert.deepEqual(server.requests, ['POST /mcp']);
});
