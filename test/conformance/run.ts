// `npm run conformance`: the official conformance suite against the bridge as a client, for each revision it speaks.
import process from 'node:process';
import { revisions, runSuite } from './runSuite.ts';

for (const revision of revisions) {
  const startedAt = performance.now();
  try {
    const { passed, failed } = await runSuite(revision);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${revision}: ${passed.length} scenarios passed (${seconds} s)`);
    for (const name of passed) console.log(`  ✓ ${name}`);
    console.log(`  ${failed.length} failed as expected, see test/conformance/expectedFailures.yml`);
  } catch (error: unknown) {
    console.error(`${revision}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
