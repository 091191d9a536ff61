import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { BrowserRequest, SignInPorts } from '../../../src/core/servers/signIn.ts';
import { TestBridge } from '../../cases/testBridge.ts';
import { callTool, isFailed, textOf } from '../../cases/toolCalls.ts';
import { signInAt } from '../../host/signInPage.ts';
import { findChromium } from '../../host/browser.ts';
import { ProtectedServer, tokenSeconds } from '../../support/authorizationServer.ts';
import { eventually } from '../../support/eventually.ts';
import { MemorySecrets } from '../../support/signIn.ts';

test('a sign-in at a real authorization server in a real browser, from the first token to the last', async () => {
  const executablePath = await findChromium();
  await using server = await ProtectedServer.create();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const opened: BrowserRequest[] = [];
  const secrets = new MemorySecrets();
  try {
    const page = await browser.newPage();
    const pages: Promise<void>[] = [];
    const signIn: SignInPorts = {
      secrets,
      openBrowser: async (request) => {
        opened.push(request);
        pages.push(page.goto(request.url).then(() => signInAt(page)));
        return true;
      },
      remoteCallback: async () => undefined,
    };
    await using bridge = new TestBridge({ srv: { url: server.url } }, undefined, signIn);
    const needed = await bridge.settled('srv');
    assert.ok(needed.kind === 'error' && needed.remedy === 'signIn');
    assert.equal(opened.length, 0, 'nobody is sent to a page unasked');

    // The first token.
    await bridge.host.signIn('user/srv', AbortSignal.timeout(60_000));
    await Promise.all(pages);
    assert.equal((await bridge.settled('srv')).kind, 'running');
    const first = await callTool(bridge, 'srv__read', {});
    assert.equal(textOf(first.outcome), 'did read');
    const [request] = opened;
    assert.deepEqual(request?.scopes.toSorted(), ['offline_access', 'read']);
    assert.equal(new URL(request?.url ?? '').searchParams.get('code_challenge_method'), 'S256');
    assert.equal(new URL(request?.url ?? '').searchParams.get('resource'), server.url);

    // Eight calls with a token that has expired.
    const refreshes = () =>
      server.seen.filter(({ form }) => form.get('grant_type') === 'refresh_token').length;
    await delay((tokenSeconds + 1) * 1000);
    const before = refreshes();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => callTool(bridge, 'srv__read', {})),
    );
    assert.deepEqual(
      all.map(({ outcome }) => isFailed(outcome)),
      Array.from({ length: 8 }, () => false),
    );
    assert.equal(refreshes() - before, 1, 'one renewal for all of them');

    // A tool that wants more.
    const wrote = await callTool(bridge, 'srv__write', {});
    await Promise.all(pages);
    assert.equal(textOf(wrote.outcome), 'did write');
    assert.equal(opened.length, 2);
    assert.deepEqual(opened[1]?.scopes.toSorted(), ['offline_access', 'read', 'write']);
    assert.equal(opened[1]?.isForCall, true);

    // The end.
    await bridge.host.signOut('user/srv');
    assert.ok(server.seen.some(({ path }) => path === '/token/revocation'));
    assert.doesNotMatch([...secrets.values.values()].join(), /access_token/);
    await eventually('a sign-in to be needed again', () => {
      const { state } = bridge.server('srv').server;
      return state.kind === 'error' && state.remedy === 'signIn';
    });
    const refused = await callTool(bridge, 'srv__read', {});
    assert.ok(isFailed(refused.outcome));
  } finally {
    await browser.close();
  }
});
