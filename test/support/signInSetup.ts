import type { JsonObject } from '../../src/base/json.ts';
import { credentialKey } from '../../src/mcp/auth/credentialStore.ts';
import { FakeHttpServer } from '../cases/fake/httpServer.ts';
import { FakeIssuer } from '../cases/fake/issuer.ts';
import { TestBridge } from '../cases/testBridge.ts';
import { TestSignIn, type MemorySecrets } from './signIn.ts';

export const metadata = {
  issuer: '{{ISSUER}}',
  authorization_endpoint: '{{ISSUER}}/authorize',
  token_endpoint: '{{ISSUER}}/token',
  registration_endpoint: '{{ISSUER}}/register',
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};
const resource = '/.well-known/oauth-protected-resource/mcp';
const refused = {
  status: 401,
  headers: { 'WWW-Authenticate': `Bearer resource_metadata="{{BASE}}${resource}"` },
};
const resourceRoute = {
  match: { method: 'GET', path: resource },
  respond: { json: { resource: '{{BASE}}/mcp', authorization_servers: ['{{ISSUER}}'] } },
};
const wantsToken = {
  match: { rpc: '*', header: { authorization: { $absent: true } } },
  respond: refused,
};
export const rejects = (token: string) => ({
  match: { rpc: '*', header: { authorization: `Bearer ${token}` } },
  respond: refused,
});

interface SetupOptions {
  readonly issuer?: JsonObject;
  readonly entry?: JsonObject;
  readonly routes?: readonly JsonObject[];
  readonly secrets?: MemorySecrets;
}

/** A server that wants a token, its authorization server, and a person with a browser. */
export async function setUp({
  issuer: rules = {},
  entry = {},
  routes = [],
  secrets,
}: SetupOptions = {}) {
  const stack = new AsyncDisposableStack();
  const issuer = stack.use(await FakeIssuer.create({ metadata, ...rules }));
  const addresses = { ISSUER: () => issuer.origin };
  const fake = stack.use(
    await FakeHttpServer.create([...routes, wantsToken, resourceRoute], addresses),
  );
  issuer.placeholders = { ...addresses, BASE: () => fake.base };
  const signIn = new TestSignIn(secrets);
  const url = `${fake.base}/mcp`;
  const at = credentialKey('user/srv', url);
  const open = (): TestBridge =>
    stack.use(new TestBridge({ srv: { url, ...entry } }, undefined, signIn));
  return {
    ...{ issuer, fake, signIn, open, at },
    store: (credentials: JsonObject) => signIn.secrets.set(at, JSON.stringify(credentials)),
    stored: () => signIn.secrets.values.get(at) ?? '',
    /** Requests to the authorization server, by path. */
    asked: (path: string) => issuer.seen.filter((request) => request.path === path),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
