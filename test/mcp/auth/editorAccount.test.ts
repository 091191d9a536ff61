import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorAccountOf } from '../../../src/core/servers/editorAccounts.ts';
import type { EditorTokenRequest } from '../../../src/core/servers/signIn.ts';
import { editorTokenQuestion } from '../../../src/core/servers/signInQuestion.ts';
import { callTool, isFailed } from '../../cases/toolCalls.ts';
import { setUp } from '../../support/signInSetup.ts';

const issuers: readonly (readonly [issuer: string, expected: string | undefined])[] = [
  ['https://github.com/login/oauth', 'github'],
  ['https://github.com/login/oauth/', 'github'],
  ['https://login.microsoftonline.com/common/v2.0', 'microsoft'],
  [
    'https://login.microsoftonline.com/contoso.example/v2.0',
    'microsoft VSCODE_TENANT:contoso.example',
  ],
  ['http://github.com/login/oauth', undefined],
  ['https://github.com.evil.example/login/oauth', undefined],
  ['https://github.com/login/oauth/authorize', undefined],
  ['https://login.microsoftonline.com/a/b/v2.0', undefined],
  ['https://login.microsoftonline.com.evil.example/common/v2.0', undefined],
  ['https://evil.example/?https://github.com/login/oauth', undefined],
];
for (const [issuer, expected] of issuers) {
  test(`the issuer ${issuer} ${expected === undefined ? 'is no account' : 'is an account'} of the editor`, () => {
    const account = editorAccountOf(issuer);
    assert.equal(account && [account.provider, ...account.scopes].join(' '), expected);
  });
}

const resource = '/.well-known/oauth-protected-resource/mcp';
const metadata = (more: object = {}) => ({
  match: { method: 'GET', path: resource },
  respond: {
    json: {
      resource: '{{BASE}}/mcp',
      authorization_servers: ['https://github.com/login/oauth'],
      scopes_supported: ['repo', 'read:org'],
      ...more,
    },
  },
});

test('a server that trusts GitHub gets a token of the editor once the person agrees, and forgets it', async () => {
  await using world = await setUp({ routes: [metadata()] });
  const asked: EditorTokenRequest[] = [];
  let answer: string | undefined;
  Object.assign(world.signIn, {
    editorToken: async (request: EditorTokenRequest) => {
      asked.push(request);
      return answer;
    },
  });
  const bridge = world.open();
  await bridge.settled('srv');
  const signIn = () => bridge.host.signIn('user/srv', AbortSignal.timeout(20_000));
  await assert.rejects(signIn(), /You did not sign in/);
  assert.doesNotMatch(world.stored(), /access_token/);
  answer = 'gho_token-of-the-editor';
  await signIn();
  assert.equal((await bridge.settled('srv')).kind, 'running');
  const { outcome } = await callTool(bridge, 'srv__echo', {});
  assert.equal(isFailed(outcome), false);
  assert.deepEqual(world.signIn.opened, [], 'no browser of ours');
  const [first] = asked;
  assert.ok(first !== undefined);
  assert.deepEqual([first.account.provider, first.scopes], ['github', ['repo', 'read:org']]);
  const { title, detail } = editorTokenQuestion(first);
  assert.match(title, /"srv" use your GitHub account/);
  assert.match(detail, /127\.0\.0\.1:\d+ gets a token[^]*repo, read:org/);
  await bridge.host.signOut('user/srv');
  assert.doesNotMatch(world.stored(), /token-of-the-editor/);
  assert.deepEqual(world.issuer.seen, [], 'nothing is revoked that is not ours');
});

test('metadata of another resource bring no account of the editor', async () => {
  await using world = await setUp({
    routes: [metadata({ resource: 'https://other.example/mcp' })],
  });
  let asked = 0;
  Object.assign(world.signIn, { editorToken: async () => void (asked += 1) });
  const bridge = world.open();
  await bridge.settled('srv');
  await assert.rejects(bridge.host.signIn('user/srv', AbortSignal.timeout(20_000)));
  assert.equal(asked, 0);
});
