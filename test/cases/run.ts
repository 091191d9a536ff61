// `npm run cases -- [--kind KIND]… [FILE…]`: runs files of cases against the bridge's own code. Ends with a line `N passed, N failed, N skipped`.
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { root } from '../support/sources.ts';
import { FixtureError, readFixtures, type Fixture } from './fixture.ts';
import { kindNames, runCase } from './runCase.ts';

const usage = 'usage: npm run cases -- [--kind KIND]... [--verbose] [FILE.json...]';

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kind: { type: 'string', multiple: true }, verbose: { type: 'boolean' } },
  });
  const only = new Set(values.kind);
  for (const kind of only) {
    if (!kindNames.includes(kind)) {
      throw new FixtureError(`There is no kind "${kind}", only ${kindNames.join(', ')}.`);
    }
  }
  // npm runs scripts in the folder of the package and says where it was called.
  const isFromNpm = process.cwd() === root;
  const from = (isFromNpm ? process.env['INIT_CWD'] : undefined) ?? process.cwd();
  const files = positionals.map((file) => resolve(from, file));
  if (files.length === 0) files.push(resolve(root, 'test/cases/cases.json'));
  const fixtures = (await Promise.all(files.map(readFixtures))).flat();
  const wanted = fixtures.filter(({ kind }) => only.size === 0 || only.has(kind));
  if (wanted.length === 0) throw new FixtureError('There is no case to run.');
  return report(wanted, only, values.verbose === true);
}

async function report(
  fixtures: readonly Fixture[],
  only: ReadonlySet<string>,
  verbose: boolean,
): Promise<boolean> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const skipped = new Map<string, number>();
  for (const fixture of fixtures) {
    const startedAt = performance.now();
    const outcome = await runCase(fixture, only);
    count[outcome.kind] += 1;
    if (outcome.kind === 'skipped') {
      const why = `${fixture.kind}: ${outcome.reason}`;
      skipped.set(why, (skipped.get(why) ?? 0) + 1);
    } else if (outcome.kind === 'failed') {
      console.log(`✖ ${fixture.id} (${fixture.kind}): ${summary(outcome.failures)}`);
    } else if (verbose) {
      console.log(`✔ ${fixture.id} (${Math.round(performance.now() - startedAt)} ms)`);
    }
  }
  for (const [why, times] of skipped) console.log(`- ${times} skipped, ${why}`);
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  return count.failed === 0;
}

/** One line, bounded. */
function summary(failures: readonly string[]): string {
  const shown = failures.slice(0, 4).map((failure) => failure.replace(/\s+/g, ' ').slice(0, 700));
  const rest = failures.length - shown.length;
  return `${shown.join(' | ')}${rest > 0 ? ` | and ${rest} more` : ''}`;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error: unknown) {
  if (!(error instanceof Error)) throw error;
  console.error(error instanceof FixtureError ? error.message : `${error.message}\n${usage}`);
  process.exitCode = 1;
}
