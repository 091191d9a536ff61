import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AllowedHosts, hostProblems } from '../../../src/core/network/allowedHosts.ts';

const entries = [
  ...['mcp.corp.example', '*.lan', ' Bücher.example ', 'dotted.example.', '10.0.0.0/8'],
  ...['192.168.1.7', '[fd00::1]', 'fd12::/16', '169.254.169.254', '100.64.0.0/10'],
];
const allowed = new AllowedHosts(entries);

test('names are allowed by themselves or by a pattern', () => {
  for (const host of [
    ...['mcp.corp.example', 'nas.lan', 'a.b.lan', 'xn--bcher-kva.example', 'dotted.example'],
    ...['10.1.2.3', '192.168.1.7', 'fd00::1', 'fd12:3::4', '169.254.169.254'],
  ]) {
    assert.ok(allowed.namesHost(host), host);
  }
  for (const host of [
    ...['corp.example', 'x.mcp.corp.example', 'lan', 'evil-lan', 'nas.lan.example', '11.0.0.1'],
    ...['192.168.1.8', 'fd00::2', '169.254.169.253', 'evil.example'],
  ]) {
    assert.ok(!allowed.namesHost(host), host);
  }
  assert.ok(new AllowedHosts(['*']).namesHost('any.example'));
  assert.ok(!new AllowedHosts([]).namesHost('any.example'));
});

test('addresses are allowed by themselves or by a range, also within IPv6', () => {
  assert.ok(allowed.namesAddress('::ffff:10.0.0.1') && allowed.namesAddress('64:ff9b::a00:1'));
  assert.ok(allowed.namesAddress('100.100.100.200'));
  assert.ok(!allowed.namesAddress('100.100.100.200', true), 'a range does not name it alone');
  assert.ok(allowed.namesAddress('169.254.169.254', true));
  assert.ok(!new AllowedHosts(['*']).namesAddress('10.0.0.1'), 'a pattern is for names');
  assert.ok(allowed.hasName('mcp.corp.example') && !allowed.hasName('nas.lan'));
});

test('what is no host, pattern, address or range is reported and allows nothing', () => {
  assert.deepEqual(hostProblems(entries), []);
  const wrong = [
    ...['https://mcp.corp.example', 'mcp.corp.example:8443', 'a/b', 'a b', '', '10.0.0.0/33'],
    ...['127.1', '2130706433', '*.*', 'a*.example', '*lan', 'user@host', 'x'.repeat(400)],
  ];
  assert.equal(hostProblems(wrong).length, wrong.length);
  const none = new AllowedHosts(wrong);
  for (const host of ['mcp.corp.example', '127.0.0.1', 'a', 'lan', 'host', 'x'.repeat(300)]) {
    assert.ok(!none.namesHost(host), host);
  }
  const [problem] = hostProblems(['https://mcp.corp.example/']);
  assert.match(problem?.message ?? '', /allows nothing: write a host name/);
});
