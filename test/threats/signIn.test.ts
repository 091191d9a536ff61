import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { loopbackCallback } from '../../src/mcp/auth/loopbackCallback.ts';
import { metadata, setUp } from '../support/signInSetup.ts';

const pages = [
  'file:///bin/sh',
  'vscode://x.y/z',
  'ms-settings:privacy',
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '\\\\host\\share',
  'https://a$(calc).example/authorize',
  'https://a`calc`.example/authorize',
  'https://user:pass@login.example/authorize',
  'http://login.example/authorize',
  'http://169.254.169.254/authorize',
  'https://10.0.0.1/authorize',
  'https://[fe80::1]/authorize',
  'https://metadata.google.internal/authorize',
  'ftp://login.example/authorize',
];
for (const page of pages) {
  test(`T17 no browser is sent to ${page}`, async () => {
    await using world = await setUp({
      issuer: { metadata: { ...metadata, authorization_endpoint: page } },
    });
    const bridge = world.open();
    await bridge.settled('srv');
    await assert.rejects(bridge.host.signIn('user/srv', AbortSignal.timeout(20_000)));
    assert.deepEqual(world.signIn.opened, []);
  });
}

test('T17 a page that is fit for it is opened once', async () => {
  await using world = await setUp();
  const bridge = world.open();
  await bridge.settled('srv');
  await bridge.host.signIn('user/srv', AbortSignal.timeout(20_000));
  assert.equal(world.signIn.opened.length, 1);
});

test('T23 an authorization server without PKCE S256 is not signed in to', async () => {
  const { code_challenge_methods_supported: _methods, ...without } = metadata;
  for (const issuer of [without, { ...metadata, code_challenge_methods_supported: ['plain'] }]) {
    await using world = await setUp({ issuer: { metadata: issuer } });
    const bridge = world.open();
    await bridge.settled('srv');
    await assert.rejects(bridge.host.signIn('user/srv', AbortSignal.timeout(20_000)), /PKCE/);
    assert.deepEqual(world.signIn.opened, []);
  }
});

test('T29 the listener of a sign-in takes one answer, for its own host and path, on this machine only', async () => {
  const callback = await loopbackCallback(undefined, false);
  const { hostname, port, pathname } = new URL(callback.url);
  assert.equal(hostname, '127.0.0.1');
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path, headers, method, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
  try {
    const answered = callback.answer('s', AbortSignal.timeout(10_000));
    assert.equal(await ask('/other?code=x&state=y'), 404);
    assert.equal(await ask(`${pathname}?code=x`, { host: 'evil.example' }), 404);
    assert.equal(await ask(`${pathname}?code=x`, {}, 'POST'), 404);
    assert.equal(await ask(`${pathname}?code=good&state=s`), 200);
    assert.equal((await answered).get('code'), 'good');
    await assert.rejects(ask(`${pathname}?code=again`));
  } finally {
    callback.dispose();
  }
});
