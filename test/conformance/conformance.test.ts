import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revisions, runSuite } from './runSuite.ts';

/** What must pass besides not failing: a suite that skipped it would say nothing. */
const auth = [
  'basic-cimd',
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'pre-registration',
  'scope-from-scopes-supported',
  'scope-from-www-authenticate',
  'scope-omitted-when-undefined',
  'scope-retry-limit',
  'scope-step-up',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-none',
  'token-endpoint-auth-post',
];
const modernAuth = [
  'authorization-server-migration',
  'iss-normalized',
  'iss-not-advertised',
  'iss-supported',
  'iss-supported-missing',
  'iss-unexpected',
  'iss-wrong-issuer',
  'metadata-issuer-mismatch',
  'offline-access-not-supported',
  'offline-access-scope',
  'resource-mismatch',
];
const required = {
  '2025-11-25': [
    ...auth.map((name) => `auth/${name}`),
    'elicitation-sep1034-client-defaults',
    'initialize',
    'json-schema-2020-12-preservation',
    'sse-retry',
    'tools_call',
  ],
  '2026-07-28': [
    ...[...auth, ...modernAuth].map((name) => `auth/${name}`),
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

/** Extensions that no revision requires, see `expectedFailures.yml`. */
const extensions = [
  'auth/client-credentials-basic',
  'auth/client-credentials-jwt',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/enterprise-managed-authorization',
  'auth/wif-jwt-bearer',
];

/** Rows of SECURITY.md that scenarios of the suite stand for. */
const threats = [
  [
    'T21 what one authorization server gave is not sent to another',
    'auth/authorization-server-migration',
  ],
  [
    'T22 answers and metadata of another issuer are refused',
    ...['auth/iss-wrong-issuer', 'auth/iss-supported-missing', 'auth/iss-unexpected'],
    'auth/metadata-issuer-mismatch',
  ],
  ['T24 a token is asked for this server only', 'auth/resource-mismatch'],
  [
    'T30 a tool with headers that are not allowed is left out',
    ...['http-invalid-tool-headers', 'http-custom-headers'],
  ],
] as const;

for (const revision of revisions) {
  test(`the bridge does what ${revision} requires of clients`, async (context) => {
    const { passed, failed } = await runSuite(revision);
    assert.deepEqual(passed.toSorted(), required[revision].toSorted());
    assert.deepEqual(failed.toSorted(), extensions);
    if (revision !== '2026-07-28') return;
    for (const [title, ...scenarios] of threats) {
      await context.test(title, () => {
        assert.deepEqual(
          scenarios.filter((scenario) => !passed.includes(scenario)),
          [],
        );
      });
    }
  });
}
