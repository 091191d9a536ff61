import { test } from 'node:test';
import { join } from 'node:path';
import { root } from '../support/sources.ts';
import { readFixtures } from './fixture.ts';
import { runCase } from './runCase.ts';

const files = ['cases.json', 'configVariants.json', 'spawnCases.json'];
const fixtures = await Promise.all(
  files.map((file) => readFixtures(join(root, 'test/cases', file))),
);

for (const fixture of fixtures.flat()) {
  test(`${fixture.id} (${fixture.kind})`, async (context) => {
    const outcome = await runCase(fixture);
    if (outcome.kind === 'skipped') context.skip(outcome.reason);
    if (outcome.kind === 'failed') throw new Error(outcome.failures.join('\n'));
  });
}
