import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hostOf,
  reachOfAddress,
  reachOfHost,
  type Reach,
} from '../../../src/core/network/reach.ts';

const addresses: Readonly<Record<Reach, readonly string[]>> = {
  public: [
    ...['1.1.1.1', '93.184.215.14', '172.15.255.255', '172.32.0.1', '100.63.0.1', '100.128.0.1'],
    ...['192.167.0.1', '198.17.255.255', '198.20.0.1', '2606:4700::1111', '2a00:1450:4001::200e'],
    // What a network without IPv4 makes of a public address.
    ...['64:ff9b::101:101', '::ffff:1.1.1.1'],
  ],
  loopback: [
    ...['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
    ...['64:ff9b::7f00:1', '::ffff:0:7f00:1', '::7f00:1'],
  ],
  private: [
    ...['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...['100.127.255.255', '198.18.0.1', '198.19.255.255', 'fc00::1', 'fdff::1', 'fec0::1'],
    ...['::ffff:10.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1', '::a00:1'],
  ],
  linkLocal: ['169.254.0.1', '169.254.169.253', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.1.1'],
  metadata: [
    ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
    ...['fd00:ec2::254', 'fd00:0ec2:0:0::254', 'fd20:ce::254', '64:ff9b::a9fe:a9fe'],
    ...['::ffff:a9fe:a9fe', '::ffff:0:a9fe:a9fe'],
  ],
  reserved: [
    ...['0.0.0.0', '0.1.2.3', '192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
    ...['239.255.255.255', '240.0.0.1', '255.255.255.255', '192.88.99.1', '::', 'ff02::1'],
    ...[
      '2001:db8::1',
      '2001::1',
      '2002:7f00:1::',
      '2002:a9fe:a9fe::',
      '100::1',
      '3fff::1',
      '5f00::1',
    ],
    ...['4000::1', '::ffff:0.0.0.0', 'no address', '', '127.1', '0x7f000001', '2130706433'],
  ],
};

test('every address is as far as the registries say', () => {
  for (const [reach, texts] of Object.entries(addresses)) {
    for (const text of texts) assert.equal(reachOfAddress(text), reach, text);
  }
});

const hosts: Readonly<Record<Reach, readonly string[]>> = {
  public: ['https://mcp.example.com', 'https://localhost.example', 'https://internal.example'],
  loopback: [
    ...['http://localhost', 'http://LOCALHOST', 'http://localhost.', 'http://a.b.localhost'],
    ...['http://127.1', 'http://0x7f000001', 'http://2130706433', 'http://0177.0.0.1'],
    ...['http://127.0.0.1.', 'http://[::1]', 'http://[::ffff:7f00:1]', 'http://１２７.0.0.1'],
    ...['http://ⓛocalhost', 'http://127。0。0。1', 'http://[0:0:0:0:0:0:0:1]'],
  ],
  private: [
    ...['https://mcp', 'https://mcp.corp', 'https://nas.lan', 'https://printer.local'],
    ...['https://a.internal', 'https://api.default.svc.cluster.local.', 'https://x.svc'],
    ...['https://router.home.arpa', 'https://192.168.1.1', 'https://[fd00::1]'],
  ],
  linkLocal: ['https://169.254.1.1', 'https://[fe80::1]'],
  metadata: [
    ...['https://169.254.169.254', 'https://0xa9fea9fe', 'https://2852039166', 'https://metadata'],
    ...['https://metadata.google.internal', 'https://METADATA.google.internal.'],
    ...['https://[fd00:ec2::254]', 'https://[64:ff9b::a9fe:a9fe]', 'https://１６９.254.169.254'],
  ],
  reserved: ['https://0.0.0.0', 'https://0', 'https://[::]', 'https://255.255.255.255'],
};

test('every spelling of a host is what it leads to', () => {
  for (const [reach, urls] of Object.entries(hosts)) {
    for (const url of urls) assert.equal(reachOfHost(hostOf(new URL(url))), reach, url);
  }
});
