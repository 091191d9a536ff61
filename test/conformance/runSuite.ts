import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { inRepository, pinnedNode } from '../host/repository.ts';
import { runProgram } from '../host/runProgram.ts';

/** The revisions of the specification whose requirements the bridge is held to. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;

const suite = inRepository('node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** Milliseconds for all scenarios of a revision, which run side by side, and for each. */
const timeoutMs = 180_000;
const scenarioTimeoutMs = 90_000;

export interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

/**
 * Runs the client scenarios of the official conformance suite that a revision requires, each with a session of
 * the bridge as the client. Resolves with the names of the scenarios; rejects, with the end of the suite's
 * report, when one fails that is not in `expectedFailures.yml`, or passes though it is.
 */
export async function runSuite(revision: (typeof revisions)[number]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-conformance-'));
  try {
    const driver = join(folder, 'driver.mjs');
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
    await bundleDriver(driver);
    // Once without a server, for the compile cache.
    await runProgram(pinnedNode, [driver, '--warm-up'], { env, timeoutMs });
    const args = ['client', '--command', `"${pinnedNode}" "${driver}"`];
    args.push('--requirements', revision, '--timeout', String(scenarioTimeoutMs));
    args.push('--expected-failures', inRepository('test/conformance/expectedFailures.yml'));
    args.push('--output-dir', join(folder, 'results'));
    return readOutcome(await runProgram(pinnedNode, [suite, ...args], { env, timeoutMs }));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * In one file it starts in a fraction of the time, and it is started dozens of times at once: with a lower
 * priority, for otherwise the servers, which are all in the one process of the suite, answer too late.
 */
async function bundleDriver(outfile: string): Promise<void> {
  await build({
    entryPoints: [inRepository('test/conformance/driver.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: {
      js: [
        "import { setPriority } from 'node:os'; setPriority(3);",
        "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      ].join('\n'),
    },
    logLevel: 'error',
  });
}

/** From the lines `✓ tools_call: 1 passed, 0 failed` of the summary; with them one that checked nothing passes. */
function readOutcome(output: string): Outcome {
  const summary = output.slice(output.indexOf('=== SUITE SUMMARY ==='));
  const names = (mark: string): string[] =>
    Array.from(
      summary.matchAll(new RegExp(`^${mark} (\\S+): \\d+ passed`, 'gm')),
      ([, name = '']) => name,
    );
  return { passed: names('✓'), failed: names('✗') };
}
