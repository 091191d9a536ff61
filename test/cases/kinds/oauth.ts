import { createServer, type Server } from 'node:net';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { credentialKey } from '../../../src/mcp/auth/credentialStore.ts';
import { TestSignIn, type Person } from '../../support/signIn.ts';
import { FakeHttpServer } from '../fake/httpServer.ts';
import { FakeIssuer } from '../fake/issuer.ts';
import { fill, type Placeholders } from '../fake/placeholders.ts';
import { FixtureError, asText, expand, numberOf, objectOf, type Fixture } from '../fixture.ts';
import { assertKnown, runChecks, type Report } from '../report.ts';
import { key, runSession, type Peer } from '../sessionRun.ts';
import { TestBridge } from '../testBridge.ts';
import { callTool } from '../toolCalls.ts';
import { isFailed } from '../toolCalls.ts';
import { oauthChecks } from './oauthChecks.ts';

const inputs = [
  'server',
  'issuer',
  'config',
  'stored',
  'user',
  'parallelRequests',
  'busyPorts',
  'actions',
];
const id = `user/${key}`;

/** Connects the bridge to a scripted server that wants an access token, beside its authorization server and a person. */
export async function runOauth({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, inputs);
  const { routes, mcpPath = '/mcp' } = objectOf(input['server'] ?? {}, 'server');
  const port = await freePort();
  await using issuer = await FakeIssuer.create(expand(input['issuer'] ?? {}));
  const issuerPlaces: Placeholders = {
    ISSUER: () => issuer.origin,
    STORED_PORT: () => String(port),
  };
  await using fake = await FakeHttpServer.create(routes, issuerPlaces);
  const places: Placeholders = { ...issuerPlaces, BASE: () => fake.base };
  issuer.placeholders = places;
  const filled = (name: string): JsonObject =>
    objectOf(fill(expand(input[name] ?? {}), places), name);

  const config = filled('config');
  const entry: JsonObject = { url: `${fake.base}${asText(mcpPath)}`, ...config };
  const signIn = new TestSignIn();
  signIn.person = personOf(input['user']);
  const stored = filled('stored');
  const at = credentialKey(id, asText(entry['url']));
  if (Object.keys(stored).length > 0) {
    signIn.secrets.values.set(at, JSON.stringify(credentialsOf(stored, config, issuer.origin)));
  }
  const { registration } = stored;
  if (isJsonObject(registration)) issuer.clients.push(registration);

  using _busy = await occupy(fill(input['busyPorts'] ?? [], places));
  await using bridge = new TestBridge({ [key]: entry }, undefined, signIn);
  const count = numberOf(input['parallelRequests'] ?? 0, 'parallelRequests');
  let openedUnasked = 0;
  const peer: Peer = {
    requests: (name) => [
      ...fake.requests(name),
      ...issuer.seen.filter(({ path, body }) =>
        [path, path.slice(1), `token:${asText(body['grant_type'])}`].includes(name),
      ),
    ],
    onSettled: async (state) => {
      openedUnasked = signIn.opened.length;
      const wants = state.kind === 'error' && state.remedy === 'signIn';
      if (wants && signIn.person !== 'ignore') {
        // Why it did not work is then the state of the server.
        await bridge.host.signIn(id, AbortSignal.timeout(60_000)).catch(() => undefined);
      }
      const calls = Array.from({ length: count }, () => callTool(bridge, `${key}__echo`, {}));
      const failed = (await Promise.all(calls)).filter(({ outcome }) => isFailed(outcome));
      report.check(failed.length === 0, 'parallelRequests', 'no failure', failed);
    },
  };
  const startedAt = performance.now();
  const seen = await runSession(bridge, peer, input['actions'], expect);
  const tokens: unknown = JSON.parse(signIn.secrets.values.get(at) ?? '{}');
  runChecks(
    expect,
    oauthChecks(places),
    {
      ...seen,
      requests: fake.seen,
      milliseconds: performance.now() - startedAt,
      issuer,
      opened: signIn.opened,
      openedUnasked,
      refreshToken: refreshTokenOf(tokens),
    },
    report,
  );
}

function personOf(value: JsonValue | undefined): Person {
  if (value === undefined || value === 'approve') return 'approve';
  if (value === 'cancel' || value === 'ignore') return value;
  throw new FixtureError(`unknown "user": ${asText(value)}`);
}

/** What an earlier session left behind, in the bridge's own form. */
function credentialsOf(stored: JsonObject, config: JsonObject, issuer: string): JsonObject {
  assertKnown(stored, ['access', 'refresh', 'expired', 'scopes', 'registration']);
  const { access, refresh, expired, scopes, registration } = stored;
  const oauth = isJsonObject(config['oauth']) ? config['oauth'] : {};
  const registered = isJsonObject(registration) ? registration : {};
  const client = { client_id: oauth['clientId'] ?? registered['client_id'] ?? 'client' };
  const tokens: JsonObject = {
    ...{ access_token: access ?? '', issuer, client },
    ...(refresh !== undefined && { refresh_token: refresh }),
    ...(Array.isArray(scopes) && { scope: scopes.map(asText).join(' ') }),
    ...(expired === true && { refreshAt: 1, expiresAt: 1 }),
  };
  return {
    ...(access !== undefined && { tokens }),
    registrations: isJsonObject(registration) ? [{ ...registration, issuer }] : [],
  };
}

function refreshTokenOf(credentials: unknown): JsonValue {
  const tokens = isJsonObject(credentials) ? credentials['tokens'] : undefined;
  return (isJsonObject(tokens) ? tokens['refresh_token'] : undefined) ?? null;
}

/** Ports that another program holds. */
async function occupy(ports: JsonValue): Promise<Disposable> {
  const servers = await Promise.all(
    (Array.isArray(ports) ? ports : []).map((port) => listening(Number(port))),
  );
  return { [Symbol.dispose]: () => servers.forEach((server) => server.close()) };
}

async function freePort(): Promise<number> {
  const server = await listening(0);
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listening(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
