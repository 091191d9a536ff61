import { withTimeout } from '../../src/base/async.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { SkippedError, expand, objectOf, type Fixture } from './fixture.ts';
import { runAllowlist } from './kinds/allowlist.ts';
import { runConfig } from './kinds/config.ts';
import { runHttp } from './kinds/http.ts';
import { runInputSchema } from './kinds/inputSchema.ts';
import { runOauth } from './kinds/oauth.ts';
import { runSpawnPlan } from './kinds/spawnPlan.ts';
import { runStdio } from './kinds/stdio.ts';
import { runToolNames } from './kinds/toolNames.ts';
import { runToolResult } from './kinds/toolResult.ts';
import { runToolsList } from './kinds/toolsList.ts';
import { Report } from './report.ts';

/** Milliseconds one case may take. */
const patience = 180_000;

export type CaseOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failures: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string };

type Run = (fixture: Fixture, report: Report) => Promise<void>;

/** How the cases of a kind are run. */
type Kind = { readonly run: Run; readonly notYet?: string } | { readonly elsewhere: string };

const kinds = new Map<string, Kind>([
  ['tool-names', { run: runToolNames }],
  ['allowlist', { run: runAllowlist }],
  ['input-schema', { run: runInputSchema }],
  ['tools-list', { run: runToolsList }],
  ['tool-result', { run: runToolResult }],
  ['editor-host', { elsewhere: 'needs the editor: run by npm run test:editor' }],
  ['stdio', { run: runStdio }],
  ['config', { run: runConfig }],
  ['http', { run: runHttp }],
  ['oauth', { run: runOauth }],
  ['spawn-plan', { run: runSpawnPlan }],
]);

/** The kinds of cases there are, whether or not they are run. */
export const kindNames: readonly string[] = [...kinds.keys()];

/**
 * Runs one case. `only`: run its kind even when that is not yet complete. Never rejects; a kind that is not known is a failure.
 */
export async function runCase(
  fixture: Fixture,
  only: ReadonlySet<string> = new Set(),
): Promise<CaseOutcome> {
  const kind = kinds.get(fixture.kind);
  if (kind === undefined) {
    return { kind: 'failed', failures: [`kind: unknown kind ${JSON.stringify(fixture.kind)}`] };
  }
  if ('elsewhere' in kind) return { kind: 'skipped', reason: kind.elsewhere };
  if (kind.notYet !== undefined && !only.has(fixture.kind)) {
    return { kind: 'skipped', reason: kind.notYet };
  }
  const report = new Report();
  try {
    const expect = objectOf(expand(fixture.expect), 'expect');
    await withTimeout(kind.run({ ...fixture, expect }, report), patience);
  } catch (error: unknown) {
    if (error instanceof SkippedError) return { kind: 'skipped', reason: error.message };
    report.failures.push(errorMessage(error));
  }
  const { failures } = report;
  return failures.length === 0 ? { kind: 'passed' } : { kind: 'failed', failures };
}
