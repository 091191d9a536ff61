import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revisions, runSuite } from './runSuite.ts';

/** What must pass besides not failing: a suite that skipped it would say nothing. */
const required = {
  '2025-11-25': [
    'elicitation-sep1034-client-defaults',
    'initialize',
    'json-schema-2020-12-preservation',
    'sse-retry',
    'tools_call',
  ],
  '2026-07-28': [
    'http-custom-headers',
    'http-invalid-tool-headers',
    'http-standard-headers',
    'json-schema-2020-12-preservation',
    'json-schema-ref-no-deref',
    'request-metadata',
    'sep-2322-client-request-state',
    'tools_call',
  ],
};

for (const revision of revisions) {
  test(`the bridge does what ${revision} requires of clients, but for OAuth`, async () => {
    const { passed, failed } = await runSuite(revision);
    assert.deepEqual(passed.toSorted(), required[revision]);
    assert.deepEqual(
      failed.filter((name) => !name.startsWith('auth/')),
      [],
    );
  });
}
