import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownSecrets } from '../../src/core/redact.ts';
import type { ServerLaunch } from '../../src/core/settings/serverConfiguration.ts';

const planted = [
  ...['env-Value/1 &?', 'bearer-Value-2', 'query Value+3', 'argument-Value-4a'],
  ...['secret"Value\\5', 'inputValue-6ü', 'pa55word-7', '--shorter-8'],
  ...['header value 9', 'cookie-Value-10', 'env-Value-11', 'moved-Value-12'],
];
const [env1, bearer, query, arg, secret, input, password, eighth, header, cookie, env2, moved] =
  planted as [
    ...[string, string, string, string, string, string],
    ...[string, string, string, string, string, string],
  ];
const local: ServerLaunch = {
  type: 'stdio',
  command: 'x',
  args: ['--token', arg],
  env: { A: env1, B: env2, C: null },
};
const remote: ServerLaunch = {
  type: 'http',
  url: `https://u:${password}@h.test/mcp?q=${encodeURIComponent(query)}`,
  headers: { Authorization: `Bearer ${bearer}`, 'X-H': header, Cookie: cookie },
};

test('12 planted secrets in 3 forms each: none of 36 is left', () => {
  const known = new KnownSecrets();
  known.addLaunch(local, [secret, eighth]);
  known.addLaunch(remote, [input]);
  known.add(moved);
  const forms = planted.flatMap((text) => [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('base64'),
  ]);
  const masked = known.mask(forms.map((form) => `before ${form} after`).join('\n'));
  assert.deepEqual(
    forms.filter((form) => masked.includes(form)),
    [],
  );
  assert.equal(masked.match(/before •••=* after/g)?.length, 36, masked);
});

test('tokens of a well-known shape are masked although nobody knows them; other text stays', () => {
  const { mask } = new KnownSecrets();
  const token = 'ghp_aB3dE5gH7jK9mN1pQ3sT5v';
  assert.equal(mask(`got ${token}, twice ${token}`), 'got •••, twice •••');
  assert.equal(mask('running: stdio, protocol 2025-11-25'), 'running: stdio, protocol 2025-11-25');
});
