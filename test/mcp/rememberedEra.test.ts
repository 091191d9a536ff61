import assert from 'node:assert/strict';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eraOf, type EraCache, type EraVerdict } from '../../src/core/servers/eraCache.ts';
import type { StdioLaunch } from '../../src/core/settings/serverConfiguration.ts';
import { startLegacySse } from '../servers/legacySse.ts';
import { startModernHttp } from '../servers/modernHttp.ts';
import { startScripted } from '../servers/scriptedHttp.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { call, open } from '../support/sessions.ts';

const day = 24 * 60 * 60 * 1000;

/** Keeps the verdict on one server. */
class TestEras implements EraCache {
  verdict: EraVerdict | undefined;

  constructor(era?: EraVerdict['era'], age = 0) {
    this.verdict = era && { era, at: Date.now() - age };
  }

  readEra(): unknown {
    return this.verdict;
  }

  writeEra(_: unknown, verdict: EraVerdict | undefined): void {
    this.verdict = verdict;
  }
}

test('a stored verdict is read with care', () => {
  const now = 100 * day;
  const verdicts: [unknown, string | undefined][] = [
    [undefined, undefined],
    ['legacy', undefined],
    [{ era: 'legacy', at: now - 6 * day }, 'legacy'],
    [{ era: 'modern', at: now }, 'modern'],
    [{ era: 'sse', at: now - 1 }, 'sse'],
    [{ era: 'legacy', at: now - 7 * day }, undefined],
    [{ era: 'legacy', at: now + 1 }, undefined],
    [{ era: 'legacy' }, undefined],
    [{ era: 'constructor', at: now }, undefined],
  ];
  for (const [stored, era] of verdicts) assert.equal(eraOf(stored, now), era);
});

/** A launch whose processes are counted. */
function counted(server: string, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'eras-'));
  const file = join(folder, 'starts');
  const inner = launchOf(server, new ProcessMark(), ...args);
  const script = 'echo x >> "$0"; exec "$@"';
  const launch: StdioLaunch = {
    ...inner,
    ...{ command: 'sh', args: ['-c', script, file, inner.command, ...inner.args] },
  };
  return {
    launch,
    starts: () => readFileSync(file, 'utf8').split('\n').length - 1,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('a local server of 2026-07-28 is spawned once when that is known', async () => {
  using server = counted('modernStdio');
  const eras = new TestEras();
  await (await open(server.launch, { eras })).close();
  assert.deepEqual([server.starts(), eras.verdict?.era], [2, 'modern']);
  await using session = await open(server.launch, { eras });
  assert.deepEqual([server.starts(), session.protocolVersion], [3, '2026-07-28']);
});

test('a local server that turns out older is served all the same, and its verdict is gone', async () => {
  using server = counted('echo');
  const eras = new TestEras('modern');
  await (await open(server.launch, { eras })).close();
  assert.deepEqual([server.starts(), eras.verdict], [2, undefined]);
  await using _session = await open(server.launch, { eras });
  assert.equal(server.starts(), 3);
});

test('a remote server of an older revision is not asked again whether it is a newer one', async () => {
  await using server = await startScripted({});
  const eras = new TestEras();
  const launch = { type: 'http', url: server.url, headers: {} } as const;
  const probes = (): number =>
    server.methods.filter((method) => method === 'server/discover').length;
  await (await open(launch, { eras })).close();
  assert.deepEqual([probes(), eras.verdict?.era], [1, 'legacy']);
  await (await open(launch, { eras })).close();
  assert.equal(probes(), 1);
  eras.verdict = { era: 'legacy', at: Date.now() - 8 * day };
  await (await open(launch, { eras })).close();
  assert.equal(probes(), 2);
});

test('a server of HTTP+SSE is reached at once when that is known', async () => {
  await using server = await startLegacySse(405);
  const eras = new TestEras();
  const launch = { type: 'http', url: server.url, headers: {} } as const;
  await (await open(launch, { eras })).close();
  assert.equal(eras.verdict?.era, 'sse');
  await using session = await open(launch, { eras });
  assert.equal(session.transport.kind, 'sse');
});

for (const wrong of ['sse', 'legacy'] as const) {
  test(`a wrong verdict "${wrong}" on a remote server heals`, async () => {
    // It knows nothing but the newest revision.
    await using server = await startScripted({
      initialize: ({ response }) => void response.writeHead(400).end(),
      GET: ({ response }) => void response.writeHead(405).end(),
      'server/discover': () => ({
        ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
        supportedVersions: ['2026-07-28'],
        capabilities: {},
      }),
    });
    const eras = new TestEras(wrong);
    const launch = { type: 'http', url: server.url, headers: {} } as const;
    await using session = await open(launch, { eras });
    assert.deepEqual([session.protocolVersion, eras.verdict], ['2026-07-28', undefined]);
  });
}

test('of a remote server of 2026-07-28 nothing is remembered: asking it is its handshake', async () => {
  await using server = await startModernHttp();
  const eras = new TestEras();
  await using session = await open({ type: 'http', url: server.url, headers: {} }, { eras });
  assert.ok(await call(session, 'echo', { text: 'x' }));
  assert.equal(eras.verdict, undefined);
});
