import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressRules } from '../../../src/mcp/auth/addressRules.ts';

const fine: readonly (readonly [server: string, address: string])[] = [
  ['https://mcp.example/mcp', 'https://login.example/authorize'],
  ['https://mcp.example/mcp', 'https://mcp.example/authorize'],
  ['https://mcp.example/mcp', 'https://xn--bcher-kva.example/'],
  ['http://127.0.0.1:3000/mcp', 'http://localhost:4000/authorize'],
  ['http://localhost:3000/mcp', 'https://login.example/'],
  ['https://10.0.0.5/mcp', 'https://10.0.0.6/token'],
  ['https://mcp.corp.internal/mcp', 'https://sso.corp.internal/'],
];

const refused: readonly (readonly [server: string, address: string])[] = [
  ...[
    'file:///etc/passwd',
    'vscode://some.extension/run',
    'ms-settings:privacy',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://login.example/authorize',
    'http://127.0.0.1:4000/authorize',
    'http://localhost/token',
    'https://localhost/token',
    'https://localhost./token',
    'https://127.1/token',
    'https://0x7f000001/token',
    'https://2130706433/token',
    'https://0177.0.0.1/token',
    'https://[::1]/token',
    'https://[::ffff:7f00:1]/token',
    'https://[64:ff9b::a9fe:a9fe]/latest',
    'https://169.254.169.254/latest/meta-data',
    'https://１６９.254.169.254/',
    'https://10.1.2.3/token',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://metadata.google.internal/',
    'https://sso.svc.cluster.local/',
    'https://user:pass@login.example/',
    'https://a$(calc).example/',
    "https://a'b.example/",
    'no address',
  ].map((address) => ['https://mcp.example/mcp', address] as const),
  // A server in a private network is no reason to send credentials in the clear.
  ['https://10.0.0.5/mcp', 'http://10.0.0.6/token'],
  ['https://10.0.0.5/mcp', 'http://127.0.0.1/token'],
];

test('addresses that a server may name', () => {
  for (const [server, address] of fine) {
    assert.equal(new AddressRules(server).refusal(address), undefined, `${server} ${address}`);
  }
  for (const [server, address] of refused) {
    assert.notEqual(new AddressRules(server).refusal(address), undefined, `${server} ${address}`);
  }
});

test('what a name resolves to counts', async () => {
  const rules = new AddressRules('https://mcp.example/mcp');
  assert.equal(await rules.resolvedRefusal('https://no-such-name.invalid/'), undefined);
  assert.match((await rules.resolvedRefusal('https://localhost/')) ?? '', /not public/);
});
