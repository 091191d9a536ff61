import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inRepository } from '../host/repository.ts';
import { ProcessMark } from '../support/processes.ts';
import { Checks } from './checks.ts';
import { checkServers } from './checkServers.ts';
import { findServer } from './installServer.ts';
import { referenceServers } from './servers.ts';

test('every tool of the reference servers reaches agents', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-real-'));
  const mark = new ProcessMark();
  const checks = new Checks(() => undefined);
  try {
    const installed = await Promise.all(
      referenceServers.map(async (server) => {
        const script = await findServer(inRepository(), server);
        assert.ok(script, `${server.package}@${server.version} is no development dependency`);
        return { server, script };
      }),
    );
    const signal = AbortSignal.timeout(60_000);
    const options = { checks, folder, env: mark.env, atOnce: 4, signal };
    const reports = await checkServers(installed, options);
    assert.deepEqual(checks.failures, []);
    assert.deepEqual(
      reports.map(({ server, raw, catalog }) => [server.key, raw?.length, catalog.tools.length]),
      [
        // With resources comes a tool that reads them.
        ['everything', 17, 18],
        ['filesystem', 14, 14],
        ['memory', 9, 10],
        ['thinking', 1, 1],
      ],
    );
    await mark.assertGone();
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
