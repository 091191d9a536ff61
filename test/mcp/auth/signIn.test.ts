import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import { asText } from '../../cases/fixture.ts';
import { callTool, isFailed, textOf } from '../../cases/toolCalls.ts';
import { eventually } from '../../support/eventually.ts';
import { MemorySecrets } from '../../support/signIn.ts';
import { metadata, rejects, setUp } from '../../support/signInSetup.ts';

const order = (): AbortSignal => AbortSignal.timeout(30_000);

/** Credentials that `FakeIssuer` could have given; `more` goes into the tokens. */
function tokensOf(issuer: string, more: JsonObject = {}): JsonObject {
  const client = { client_id: 'pre-1' };
  return {
    tokens: { access_token: 'old-token', refresh_token: 'first-refresh', issuer, client, ...more },
    registrations: [],
  };
}

test('nobody is sent to a page before they ask for it; then the server runs', async () => {
  await using world = await setUp();
  const bridge = world.open();
  const before = await bridge.settled('srv');
  assert.ok(before.kind === 'error' && before.code === 'unauthorized');
  assert.equal(before.remedy, 'signIn');
  assert.match(before.message, /"srv" wants you to sign in.*Sign In to Server/s);
  // Neither a page nor a registration.
  assert.deepEqual([world.signIn.opened, world.issuer.seen], [[], []]);

  await bridge.host.signIn('user/srv', order());
  assert.equal((await bridge.settled('srv')).kind, 'running');
  assert.equal(bridge.server('srv').server.isSignedIn, true);
  const { outcome } = await callTool(bridge, 'srv__echo', {});
  assert.equal(textOf(outcome), 'ok');
  const [authorize] = world.asked('/authorize');
  assert.equal(authorize?.query['code_challenge_method'], 'S256');
  assert.match(asText(authorize?.query['redirect_uri']), /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  assert.match(String(await world.signIn.pages[0]), /Signed in.*close this page/s);

  await bridge.host.signOut('user/srv');
  const after = await bridge.settled('srv');
  assert.ok(after.kind === 'error' && after.remedy === 'signIn');
  assert.equal(world.stored(), '');
});

test('the next sign-in uses the registration and the port again, unless the port is taken', async () => {
  await using world = await setUp({ issuer: { strictRedirectMatch: true } });
  const bridge = world.open();
  await bridge.settled('srv');
  await bridge.host.signIn('user/srv', order());
  await bridge.host.signIn('user/srv', order());
  assert.equal(world.asked('/register').length, 1);
  const ports = world
    .asked('/authorize')
    .map(({ query }) => new URL(asText(query['redirect_uri'])).port);
  assert.equal(ports[0], ports[1]);
  const thief = createServer().listen(Number(ports[0]), '127.0.0.1');
  await using _thief = { [Symbol.asyncDispose]: async () => void thief.close() };
  await new Promise((resolve) => thief.once('listening', resolve));
  await bridge.host.signIn('user/srv', order());
  assert.equal(world.asked('/register').length, 2);
});

test('eight calls with an expired token cost one renewal', async () => {
  await using world = await setUp({
    issuer: { rotateRefreshTokens: true },
    routes: [
      {
        ...rejects('old-token'),
        match: { rpc: 'tools/call', header: { authorization: 'Bearer old-token' } },
      },
    ],
  });
  await world.store(tokensOf(world.issuer.origin));
  const bridge = world.open();
  assert.equal((await bridge.settled('srv')).kind, 'running');
  const calls = await Promise.all(
    Array.from({ length: 8 }, () => callTool(bridge, 'srv__echo', {})),
  );
  assert.deepEqual(
    calls.filter(({ outcome }) => isFailed(outcome)),
    [],
  );
  assert.equal(world.asked('/token').length, 1);
  assert.equal(world.fake.requests('tools/call').length, 16);
  assert.match(world.stored(), /"refresh_token":"rt1"/);
});

test('a token is renewed a minute before it expires, and a failure then is not yet one', async () => {
  const soon = { refreshAt: Date.now() - 1, expiresAt: Date.now() + 50_000 };
  for (const [issuer, sent] of [
    [{}, 'Bearer at1'],
    [{ token: [{ status: 503, text: '' }] }, 'Bearer old-token'],
  ] as const) {
    await using world = await setUp({ issuer: issuer as JsonObject });
    await world.store(tokensOf(world.issuer.origin, soon));
    const bridge = world.open();
    assert.equal((await bridge.settled('srv')).kind, 'running');
    assert.equal(world.fake.requests('tools/list').at(-1)?.headers.authorization, sent);
  }
});

test('what another window has renewed or signed in to is taken over', async () => {
  const secrets = new MemorySecrets();
  await using world = await setUp({ secrets, routes: [rejects('old-token')] });
  await world.store(tokensOf(world.issuer.origin));
  // The other window is done between our look at the store and the refusal.
  const get = secrets.get.bind(secrets);
  let looks = 0;
  secrets.get = (key) => {
    looks += 1;
    if (looks === 3) {
      secrets.values.set(
        key,
        JSON.stringify(tokensOf(world.issuer.origin, { access_token: 'theirs' })),
      );
    }
    return get(key);
  };
  const bridge = world.open();
  assert.equal((await bridge.settled('srv')).kind, 'running');
  assert.equal(world.asked('/token').length, 0);

  await secrets.delete(world.at);
  await bridge.host.restart('user/srv');
  assert.equal((await bridge.settled('srv')).kind, 'error');
  await world.store(tokensOf(world.issuer.origin, { access_token: 'theirs again' }));
  await eventually(
    'the server runs again',
    () => bridge.server('srv').server.state.kind === 'running',
  );
});

test('T26 a sign-in that went wrong says why, and nothing is stored', async () => {
  const table: readonly (readonly [issuer: JsonObject, said: RegExp])[] = [
    [{ callback: { state: 'forged' } }, /"state" differs/],
    [
      {
        metadata: { ...metadata, authorization_response_iss_parameter_supported: true },
        callback: { iss: 'https://evil.example' },
      },
      /did not come from the authorization server that was asked/,
    ],
    [{ metadata: { ...metadata, issuer: 'https://evil.example' } }, /another one \(https:\/\/evil/],
    [{ metadata: { ...metadata, code_challenge_methods_supported: ['plain'] } }, /PKCE/],
    [
      { metadata: { ...metadata, token_endpoint: 'http://10.0.0.1/token' } },
      /names http:\/\/10\.0\.0\.1\/token, which is not used because/,
    ],
    [
      { metadata: { ...metadata, token_endpoint: 'https://10.0.0.1/token' } },
      /not used because its host is not public: .*add "10\.0\.0\.1" to the setting "mcpBridge\.net/,
    ],
    [
      { metadata: { ...metadata, authorization_endpoint: 'file:///bin/sh' } },
      /not used because|Signing in .* did not work/,
    ],
    [{ token: [{ status: 400, json: { error: 'invalid_target' } }] }, /invalid_target/],
  ];
  for (const [issuer, said] of table) {
    await using world = await setUp({ issuer });
    const bridge = world.open();
    await bridge.settled('srv');
    await assert.rejects(bridge.host.signIn('user/srv', order()), said);
    const state = await bridge.settled('srv');
    assert.match(state.kind === 'error' ? state.message : '', said);
    assert.doesNotMatch(world.stored(), /access_token/);
  }
});

test('a registration that is no longer accepted is made anew, once', async () => {
  const when = { grant_type: 'authorization_code', client_id: 'dcr-1' };
  const invalid = { when, status: 401, json: { error: 'invalid_client' } };
  await using world = await setUp({ issuer: { token: [invalid] } });
  const bridge = world.open();
  await bridge.settled('srv');
  await bridge.host.signIn('user/srv', order());
  assert.equal((await bridge.settled('srv')).kind, 'running');
  assert.equal(world.asked('/register').length, 2);
});

test('who says no, or gives up, is not signed in', async () => {
  await using world = await setUp();
  const bridge = world.open();
  await bridge.settled('srv');
  world.signIn.person = 'cancel';
  await assert.rejects(bridge.host.signIn('user/srv', order()), /You did not sign in/);
  world.signIn.person = 'ignore';
  const abort = new AbortController();
  const signingIn = bridge.host.signIn('user/srv', abort.signal);
  await eventually('the page is open', () => world.signIn.opened.length === 2);
  abort.abort();
  await assert.rejects(signingIn, { name: 'AbortError' });
});

test('T17 a server with a header of its own, or without sign-in, never asks for one', async () => {
  for (const [entry, said] of [
    [{ headers: { 'X-Api-Key': 'wrong' } }, /rejected your header "X-Api-Key" \(HTTP 401\)/],
    [{ auth: false }, /refused the request with HTTP 401/],
  ] as const) {
    await using world = await setUp({ entry });
    const bridge = world.open();
    const state = await bridge.settled('srv');
    assert.ok(state.kind === 'error' && state.remedy === undefined);
    assert.match(state.message, said);
    assert.deepEqual(
      world.fake.seen.filter(({ path }) => path.includes('well-known')),
      [],
    );
    await assert.rejects(bridge.host.signIn('user/srv', order()), /no signing in/);
  }
});

test('T63 no token, code, verifier or secret stands in the log or in a state', async () => {
  const leaky = {
    status: 400,
    json: { error: 'invalid_grant', error_description: 'no: first-refresh' },
  };
  await using world = await setUp({
    issuer: { token: [{ when: { grant_type: 'refresh_token' }, ...leaky }] },
    entry: { auth: { clientId: 'pre-1', clientSecret: 'hush-hush-secret' } },
    routes: [rejects('old-token')],
  });
  await world.store(tokensOf(world.issuer.origin));
  const bridge = world.open();
  await bridge.settled('srv');
  await bridge.host.signIn('user/srv', order());
  await bridge.settled('srv');
  const forms = world.asked('/token').map(({ body }) => body);
  const secrets = forms.flatMap(({ code, code_verifier: verifier, client_secret: secret }) => [
    ...[code, verifier, secret].map((value) => (typeof value === 'string' ? value : '')),
  ]);
  const known = ['old-token', 'first-refresh', 'hush-hush-secret', ...secrets].filter(
    (one) => one !== '',
  );
  assert.ok(known.length >= 5);
  const said = `${bridge.log.text} ${JSON.stringify(bridge.server('srv').server.state)}`;
  assert.ok(said.length > 100);
  assert.deepEqual(
    known.filter((one) => said.includes(one)),
    [],
  );
});
