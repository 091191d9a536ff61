import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerLaunch } from '../../src/core/settings/serverConfiguration.ts';
import { startLegacySse } from '../servers/legacySse.ts';
import { deadAddress, type RunningHttpServer } from '../servers/listen.ts';
import { startModernHttp } from '../servers/modernHttp.ts';
import { startHanging, startRefusing } from '../servers/refusesHttp.ts';
import { startScripted, type Exchange } from '../servers/scriptedHttp.ts';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { call, open, openFailure, toolNames } from '../support/sessions.ts';

const at = (url: string, type: 'http' | 'sse' = 'http'): ServerLaunch => ({
  type,
  url,
  headers: { 'X-Test': 'yes' },
});

test('a server that ends during its start is told with its last words', async () => {
  const mark = new ProcessMark();
  assert.deepEqual(await openFailure(launchOf('crashOnStart', mark)), {
    code: 'handshakeFailed',
    message:
      "The server's process ended with exit code 3 before it was ready. Its last words: reading configuration\ncannot start: API_KEY is not set",
  });
  await mark.assertGone();
});

test('a program that ends at once is told with its last words, not as a broken pipe', async () => {
  const { env, cwd } = launchOf('echo', new ProcessMark());
  const script = 'printf "no licence" >&2; exit 9';
  const messages = new Set<string>();
  for (let round = 0; round < 40; round++) {
    const launch = { type: 'stdio', command: 'sh', args: ['-c', script], env, cwd: cwd ?? '/' };
    messages.add((await openFailure(launch as ServerLaunch)).message);
  }
  assert.deepEqual(
    [...messages],
    ["The server's process ended with exit code 9 before it was ready. Its last words: no licence"],
  );
});

test('a server that never answers is stopped and told with the limit', async () => {
  const mark = new ProcessMark();
  assert.deepEqual(await openFailure(launchOf('neverAnswers', mark), { connectSeconds: 1 }), {
    code: 'timedOut',
    message:
      'The server did not answer within 1 s of its start. If it needs longer, raise "timeouts.connect". Its last words: waiting for a licence server',
  });
  assert.deepEqual(mark.running(), []);
});

test('a start that is given up leaves nothing behind', async () => {
  for (const server of ['neverAnswers', 'ignoresSigterm']) {
    const mark = new ProcessMark();
    const controller = new AbortController();
    const opening = openFailure(launchOf(server, mark), { signal: controller.signal });
    await eventually('the process runs', () => mark.running().length > 0);
    controller.abort();
    await opening.catch(() => undefined);
    await mark.assertGone();
  }
});

test('a start that is given up before it began rejects as an abort', async () => {
  const mark = new ProcessMark();
  await assert.rejects(open(launchOf('echo', mark), { signal: AbortSignal.abort() }), {
    name: 'AbortError',
  });
  await mark.assertGone();
});

interface Remote {
  readonly start: () => Promise<RunningHttpServer>;
  readonly type?: 'http' | 'sse';
  readonly transport: 'http' | 'sse';
}

const remotes: Readonly<Record<string, Remote>> = {
  'Streamable HTTP with sessions': { start: startStreamableHttp, transport: 'http' },
  'revision 2026-07-28': { start: startModernHttp, transport: 'http' },
  'HTTP+SSE that answers 405': { start: () => startLegacySse(405), transport: 'sse' },
  'HTTP+SSE that answers 404': { start: () => startLegacySse(404), transport: 'sse' },
  'HTTP+SSE that answers 400': { start: () => startLegacySse(400), transport: 'sse' },
  'HTTP+SSE that answers with its stream': { start: () => startLegacySse(200), transport: 'sse' },
  'HTTP+SSE as configured': { start: () => startLegacySse(404), type: 'sse', transport: 'sse' },
};

for (const [name, { start, type, transport }] of Object.entries(remotes)) {
  test(`a remote server over ${name} is spoken to`, async () => {
    await using server = await start();
    await using session = await open(at(server.url, type));
    assert.deepEqual(
      [
        session.transport.kind,
        await toolNames(session),
        await call(session, 'echo', { text: 'hello' }),
      ].map((value) =>
        value !== null && typeof value === 'object' && 'content' in value ? value.content : value,
      ),
      [transport, ['echo'], [{ type: 'text', text: 'hello' }]],
    );
  });
}

test('closing ends the session at the server too', async () => {
  await using server = await startStreamableHttp();
  const session = await open(at(server.url));
  assert.equal(server.openSessions, 1);
  await session.close();
  assert.equal(server.openSessions, 0);
});

const statuses: readonly (readonly [status: number, code: string, says: RegExp])[] = [
  [401, 'unauthorized', /HTTP 401\. If "headers" holds a token, it was rejected/],
  [403, 'unauthorized', /HTTP 403/],
  [404, 'unreachable', /HTTP 404\. Check "url"\./],
  [405, 'unreachable', /HTTP 405\. Check "url"\./],
  [500, 'unreachable', /HTTP 500\. The fault is on the side of the server\./],
  [503, 'unreachable', /HTTP 503\. The fault is on the side of the server\./],
];

for (const type of ['http', 'sse'] as const) {
  for (const [status, code, says] of statuses) {
    test(`HTTP ${status} over ${type} has a sentence of its own`, async () => {
      await using server = await startRefusing(status);
      const failure = await openFailure(at(server.url, type));
      assert.match(failure.message, says);
      assert.ok(failure.message.startsWith(`No session with ${new URL(server.url).origin}: `));
      assert.equal(failure.code, code);
      assert.ok(server.requests.length <= 4);
    });
  }

  test(`an address at which nothing listens, over ${type}, is told`, async () => {
    const url = await deadAddress();
    assert.deepEqual(await openFailure(at(url, type)), {
      code: 'unreachable',
      message: `No session with ${new URL(url).origin}: connection refused. Nothing listens there: start the server, or check "url".`,
    });
  });

  test(`a remote server that never answers, over ${type}, is given up in time`, async () => {
    await using server = await startHanging();
    const startedAt = performance.now();
    assert.deepEqual(await openFailure(at(server.url, type), { connectSeconds: 1 }), {
      code: 'timedOut',
      message: `No session with ${new URL(server.url).origin}: the server did not answer within 1 s. If it needs longer, raise "timeouts.connect".`,
    });
    assert.ok(performance.now() - startedAt < 2500);
  });

  test(`a connection over ${type} that is given up ends at once`, async () => {
    await using server = await startHanging();
    const controller = new AbortController();
    const opening = open(at(server.url, type), { signal: controller.signal });
    const rejects = assert.rejects(opening, { name: 'AbortError' });
    await eventually('the request', () => server.requests.length > 0);
    controller.abort();
    await rejects;
  });
}

test('a remote server whose first answer takes its time is spoken to all the same', async () => {
  await using server = await startScripted({ 'server/discover': discoverAfter(2500) });
  await using session = await open(at(server.url));
  assert.equal(session.protocolVersion, '2026-07-28');
});

test('a remote server that never answers "server/discover" is asked as an older one', async () => {
  await using server = await startScripted({ 'server/discover': () => undefined });
  await using session = await open(at(server.url), { connectSeconds: 3 });
  assert.equal(session.protocolVersion, '2025-11-25');
  assert.deepEqual(server.methods.slice(0, 2), ['server/discover', 'initialize']);
});

test('a local server of the newest protocol may take its time to start', async () => {
  const mark = new ProcessMark();
  const { command, args, ...launch } = launchOf('modernStdio', mark);
  const slowly = ['-c', 'sleep 2.5; exec "$0" "$@"', command, ...args];
  await using session = await open(
    { ...launch, command: 'sh', args: slowly },
    { protocol: 'modern' },
  );
  assert.equal(session.protocolVersion, '2026-07-28');
});

/** Answers `server/discover` late, like a server that its first request starts. */
function discoverAfter(milliseconds: number) {
  return ({ response, message: { id } }: Exchange): undefined => {
    const result = {
      ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
      supportedVersions: ['2026-07-28'],
      capabilities: {},
      serverInfo: { name: 'late', version: '1' },
    };
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }, milliseconds);
  };
}

test('a host name that does not exist is told', async () => {
  const { code, message } = await openFailure(at('https://no-such-host.invalid/mcp'));
  assert.equal(code, 'unreachable');
  assert.match(message, /host name/);
});

const eras = [
  { server: 'modernStdio', protocol: 'auto', version: '2026-07-28' },
  { server: 'modernStdio', protocol: 'modern', version: '2026-07-28' },
  { server: 'echo', protocol: 'auto', version: '2025-11-25' },
  { server: 'echo', protocol: 'legacy', version: '2025-11-25' },
] as const;

for (const { server, protocol, version } of eras) {
  test(`the local server ${server} speaks ${version} with "protocol": "${protocol}"`, async () => {
    const mark = new ProcessMark();
    {
      await using session = await open(launchOf(server, mark), { protocol });
      assert.equal(session.protocolVersion, version);
      assert.ok((await toolNames(session)).includes('echo'));
      assert.equal(mark.running().length, 1);
    }
    await mark.assertGone();
  });
}

test('a protocol that the server does not speak is told with what it speaks', async () => {
  const failures = await Promise.all([
    openFailure(launchOf('modernStdio', new ProcessMark()), { protocol: 'legacy' }),
    openFailure(launchOf('echo', new ProcessMark()), { protocol: 'modern' }),
  ]);
  assert.deepEqual(
    failures.map(({ code }) => code),
    ['handshakeFailed', 'handshakeFailed'],
  );
  for (const { message } of failures) assert.match(message, /"protocol"/);
});
