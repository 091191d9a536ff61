import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolFilter, globMatcher } from '../../../src/core/tools/toolFilter.ts';

const patterns: readonly (readonly [pattern: string, name: string, matches: boolean])[] = [
  ['*', 'get_issue', true],
  ['*', 'drive/files.get', true],
  ['*', '.hidden', true],
  ['*', 'mail:send now', true],
  ['*', 'two\nlines', true],
  ['*', 'größe 🎉', true],
  ['get_*', 'get_issue', true],
  ['get_*', 'get_', true],
  ['get_*', 'Get_issue', false],
  ['get_*', 'forget_issue', false],
  ['get_*', 'get_two\nlines', true],
  ['*_secret', 'get/the_secret', true],
  ['pages.read', 'pages_read', false],
  ['pages.read', 'pages.read', true],
  ['{get,list}_*', 'list_x', true],
  ['file?', 'file1', true],
  ['file?', 'file', false],
  ['[ab]*', 'b1', true],
  ['!get_*', 'list_x', false],
  ['[', '[', true],
  ['a(b)', 'a(b)', true],
  ['__proto__', '__proto__', true],
];

test('a pattern covers the whole name, in its case; a star stands for anything', () => {
  assert.deepEqual(
    patterns.map(([pattern, name]) => [pattern, name, globMatcher(pattern)(name)]),
    patterns,
  );
});

test('a tool must pass every allowlist and no denial', () => {
  const filter = createToolFilter({
    allow: ['jira_search', 'jira_get_*'],
    narrowed: [['*_issue', '*_secret', 'jira_search']],
    deny: ['*_secret'],
  });
  const names = [
    'jira_search',
    'jira_get_issue',
    'jira_get_user',
    'jira_get_secret',
    'Jira_Search',
  ];
  const left = { isAllowed: false, reason: 'not in the allow list' };
  assert.deepEqual(
    names.map((name) => filter.check(name)),
    [
      { isAllowed: true },
      { isAllowed: true },
      left,
      { isAllowed: false, reason: 'denied by the pattern "*_secret"' },
      left,
    ],
  );
});

test('an empty allowlist allows nothing', () => {
  assert.equal(createToolFilter({ allow: [], deny: [] }).check('a').isAllowed, false);
});
