import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllowedHosts } from '../../../src/core/network/allowedHosts.ts';
import { EgressRules, type EgressRole } from '../../../src/core/network/egressRules.ts';

interface Given {
  readonly namedHost?: string;
  readonly allowed?: readonly string[];
}

const rulesOf = (url: string, { namedHost, allowed = [] }: Given = {}): EgressRules =>
  new EgressRules({ url, namedHost }, new AllowedHosts(allowed));

/** Whether a server with this address may be asked when its host leads to the given address. */
function reaches(url: string, address: string, given: Given = {}): boolean {
  const rules = rulesOf(url, given);
  const refusal =
    rules.refusal(url, 'server') ?? rules.addressRefusal(new URL(url), address, 'server');
  return refusal === undefined;
}

test('a server is reached at public addresses by https, and on this machine', () => {
  assert.ok(reaches('https://mcp.example/mcp', '93.184.215.14'));
  for (const url of ['http://localhost:3000/', 'https://localhost/', 'http://a.localhost./']) {
    assert.ok(reaches(url, '127.0.0.1') && reaches(url, '::1'), url);
    assert.ok(!reaches(url, '93.184.215.14') && !reaches(url, '10.0.0.1'), url);
  }
  for (const url of ['http://127.0.0.1:3000/', 'http://[::1]/', 'http://2130706433/']) {
    assert.equal(rulesOf(url).refusal(url, 'server'), undefined, url);
  }
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.1.1', '169.254.169.254', '0.0.0.0']) {
    assert.ok(!reaches('https://mcp.example/mcp', address), address);
  }
  assert.ok(!reaches('http://mcp.example/mcp', '93.184.215.14'));
});

test('an entry of the user names a host in a private network, nothing else', () => {
  const url = 'https://mcp.corp.example/mcp';
  const given = { namedHost: 'mcp.corp.example' };
  assert.ok(reaches(url, '10.1.2.3', given) && reaches(url, 'fd00::7', given));
  assert.ok(reaches(url, '100.64.0.1', given) && reaches(url, '198.18.0.9', given));
  for (const address of ['127.0.0.1', '169.254.1.1', '169.254.169.254', 'fd00:ec2::254', '::']) {
    assert.ok(!reaches(url, address, given), address);
  }
  assert.ok(!reaches('http://mcp.corp.example/mcp', '10.1.2.3', given));
  assert.ok(reaches('https://10.1.2.3/mcp', '10.1.2.3', { namedHost: '10.1.2.3' }));
  assert.ok(!reaches('https://10.1.2.3/mcp', '10.1.2.3'));
  assert.ok(reaches('https://mcp.internal/mcp', '10.1.2.3', { namedHost: 'mcp.internal' }));
  for (const host of ['169.254.169.254', '169.254.1.1', 'metadata.google.internal', '0.0.0.0']) {
    assert.ok(!reaches(`https://${host}/`, '169.254.169.254', { namedHost: host }), host);
  }
});

test('the setting names hosts and addresses, whoever wrote the entry', () => {
  const names = { allowed: ['mcp.corp.example'] };
  assert.ok(reaches('https://mcp.corp.example/', '10.1.2.3', names));
  assert.ok(reaches('http://mcp.corp.example/', '127.0.0.1', names));
  assert.ok(!reaches('https://mcp.corp.example/', '169.254.169.254', names));
  assert.ok(!reaches('https://mcp.corp.example/', '169.254.1.1', names));
  assert.ok(!reaches('https://other.example/', '10.1.2.3', names));
  const ranges = { allowed: ['10.0.0.0/8', '169.254.0.0/16', '127.0.0.0/8'] };
  for (const address of ['10.1.2.3', '169.254.1.1', '127.0.0.1']) {
    assert.ok(reaches('https://mcp.example/', address, ranges), address);
    assert.ok(reaches(`http://${address}/`, address, ranges), address);
  }
  assert.ok(!reaches('http://mcp.example/', '10.1.2.3', ranges), 'http needs the name');
  assert.ok(!reaches('https://169.254.169.254/', '169.254.169.254', ranges));
  const metadata = { allowed: ['169.254.169.254', 'metadata.google.internal'] };
  assert.ok(reaches('http://metadata.google.internal/', '169.254.169.254', metadata));
  assert.ok(!reaches('http://metadata.google.internal/', '169.254.169.254', { allowed: ['*'] }));
});

test('requests to a server go to that server only', () => {
  const rules = rulesOf('https://mcp.example/mcp');
  assert.equal(rules.refusal('https://mcp.example/other?x', 'server'), undefined);
  for (const url of [
    'https://mcp.example:444/mcp',
    'https://evil.example/',
    'file:///etc/passwd',
  ]) {
    assert.notEqual(rules.refusal(url, 'server'), undefined, url);
  }
});

const fine: readonly (readonly [server: string, address: string, allowed?: readonly string[]])[] = [
  ['https://mcp.example/mcp', 'https://login.example/authorize'],
  ['https://mcp.example/mcp', 'https://mcp.example/authorize'],
  ['https://mcp.example/mcp', 'https://xn--bcher-kva.example/'],
  ['http://127.0.0.1:3000/mcp', 'http://localhost:4000/authorize'],
  ['http://localhost:3000/mcp', 'https://login.example/'],
  ['https://10.0.0.5/mcp', 'https://10.0.0.5/token'],
  ['https://10.0.0.5/mcp', 'https://10.0.0.6/token', ['10.0.0.6']],
  ['https://mcp.corp.internal/mcp', 'https://sso.corp.internal/', ['*.corp.internal']],
  ['https://mcp.example/mcp', 'https://localhost/token', ['localhost']],
  ['http://mcp.lan/mcp', 'http://sso.lan/token', ['mcp.lan', 'sso.lan']],
];

const refused: typeof fine = [
  ...[
    ...['file:///etc/passwd', 'vscode://some.extension/run', 'ms-settings:privacy'],
    ...['javascript:alert(1)', 'data:text/html,x', 'http://login.example/authorize'],
    ...['http://127.0.0.1:4000/authorize', 'http://localhost/token', 'https://localhost/token'],
    ...['https://localhost./token', 'https://127.1/token', 'https://0x7f000001/token'],
    ...['https://2130706433/token', 'https://0177.0.0.1/token', 'https://[::1]/token'],
    ...['https://[::ffff:7f00:1]/token', 'https://[64:ff9b::a9fe:a9fe]/latest'],
    ...['https://169.254.169.254/latest/meta-data', 'https://１６９.254.169.254/'],
    ...['https://10.1.2.3/token', 'https://192.168.1.1/', 'https://100.64.0.1/'],
    ...['https://[fd00::1]/', 'https://[fe80::1]/', 'https://metadata.google.internal/'],
    ...['https://sso.svc.cluster.local/', 'https://sso/token', 'https://user:pass@login.example/'],
    ...['https://a$(calc).example/', "https://a'b.example/", 'https://a_b.example/', 'no address'],
  ].map((address) => ['https://mcp.example/mcp', address] as const),
  // Nobody named these, and a server in a private network is no reason to send credentials in the clear.
  ['https://10.0.0.5/mcp', 'https://10.0.0.6/token'],
  ['https://mcp.corp.internal/mcp', 'https://sso.corp.internal/'],
  ['https://10.0.0.5/mcp', 'http://10.0.0.5/token'],
  ['https://10.0.0.5/mcp', 'http://10.0.0.6/token', ['10.0.0.6']],
  ['https://10.0.0.5/mcp', 'http://127.0.0.1/token'],
  ['http://localhost:3000/mcp', 'https://10.0.0.6/token'],
  ['http://localhost:3000/mcp', 'https://169.254.169.254/token'],
];

test('addresses that a server names for the sign-in', () => {
  const refusalOf = ([server, address, allowed = []]: (typeof fine)[number]) =>
    rulesOf(server, { namedHost: new URL(server).hostname, allowed }).refusal(address, 'document');
  for (const one of fine) assert.equal(refusalOf(one), undefined, one.join(' '));
  for (const one of refused) assert.notEqual(refusalOf(one), undefined, one.join(' '));
});

test('a refusal says why, and what to write where', () => {
  const said = (url: string, address = '', role: EgressRole = 'server'): string => {
    const rules = rulesOf(role === 'server' ? url : 'https://mcp.example/');
    const refusal = rules.refusal(url, role) ?? rules.addressRefusal(new URL(url), address, role);
    return `${refusal?.reason} | ${refusal?.advice}`;
  };
  const add = (entry: string): RegExp =>
    new RegExp(`add "${entry}" to the setting "mcpBridge.network.allowedHosts" in your user`);
  assert.match(said('https://10.0.0.5/'), /not public: it is in a private network/);
  assert.match(said('https://10.0.0.5/'), add('10.0.0.5'));
  assert.match(
    said('https://mcp.example/', '10.1.2.3'),
    /leads to 10\.1\.2\.3, which is in a priv/,
  );
  assert.match(said('https://mcp.example/', '10.1.2.3'), add('mcp.example'));
  assert.match(said('https://mcp.example/', '169.254.169.254'), /metadata service of a cloud/);
  assert.match(said('https://mcp.example/', '169.254.169.254'), add('169.254.169.254'));
  assert.match(said('http://mcp.example/'), /begin with https.*unencrypted.*"mcp\.example"/);
  assert.match(said('https://u:p@mcp.example/'), /user name or password.*"Authorization"/);
  assert.match(said('https://10.0.0.6/', '', 'document'), add('10.0.0.6'));
  assert.match(said('https://sso.example/', '10.0.0.6', 'document'), add('sso.example'));
  for (const host of ['169.254.169.254', '127.0.0.1', 'metadata.google.internal']) {
    assert.match(said(`https://${host}/`, '', 'document'), /not public.* \| $/);
    assert.match(said('https://sso.example/', host, 'document'), /leads to .* \| $/);
  }
  assert.match(said('http://0.0.0.0:8000/mcp'), /any address of this machine.*Write localhost/);
});
