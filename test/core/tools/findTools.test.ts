import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTools, maxFound } from '../../../src/core/tools/findTools.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';

const catalog = buildCatalog([
  serverOf('github', [
    toolOf('create_issue', {
      description: 'Opens a new issue in a repository.',
      inputSchema: { type: 'object', properties: { assignee: {}, repository: {} } },
    }),
    toolOf('listPullRequests', { description: 'All pull requests.', title: 'List Pull Requests' }),
    toolOf('get_file', { description: 'Reads a file; mentions an issue once.' }),
  ]),
  serverOf(configurationOf('fs', { expose: 'search', deny: ['secret_*'] }), [
    toolOf('read_file', { description: 'Reads a file from the disk.' }),
    toolOf('secret_file', { description: 'Reads a file nobody may read.' }),
    toolOf('日本語', { description: '翻訳する' }),
    toolOf('constructor', { description: 'Builds.' }),
  ]),
  serverOf(configurationOf('off', { enabled: false }), [toolOf('read_file')]),
]);

const found = (query: string, limit = 5): string[] =>
  findTools(catalog, query, limit).map(({ exposedName }) => exposedName);

const queries: readonly (readonly [query: string, first: string])[] = [
  ['create issue', 'github__create_issue'],
  ['create_issue', 'github__create_issue'],
  ['createIssue', 'github__create_issue'],
  ['CREATE ISSUE', 'github__create_issue'],
  ['pull request', 'github__listPullRequests'],
  ['github issue', 'github__create_issue'],
  ['assignee', 'github__create_issue'],
  ['reposotory', 'github__create_issue'],
  ['read file from disk', 'fs__read_file'],
  ['constructor', 'fs__constructor'],
  ['翻訳する', 'fs_____'],
];

test('the best match comes first, whichever way its words are written', () => {
  assert.deepEqual(
    queries.map(([query]) => [query, found(query)[0]]),
    queries,
  );
});

test('tools that may not be called are never found', () => {
  assert.deepEqual(
    found('file', 20).filter((name) => name.startsWith('off') || name.includes('secret')),
    [],
  );
});

test('a query without words or without a match finds nothing', () => {
  assert.deepEqual(
    ['', '  ', '!?', 'zzzzqqq'].map((query) => found(query)),
    [[], [], [], []],
  );
});

test('the limit is kept within bounds', () => {
  const many = buildCatalog([
    serverOf(
      'm',
      Array.from({ length: 50 }, (_value, index) => `tool_${index}`),
    ),
  ]);
  assert.deepEqual(
    [-1, 0, 1, 7, 20, 500].map((limit) => findTools(many, 'tool', limit).length),
    [1, 1, 1, 7, maxFound, maxFound],
  );
});

test('a catalog of a thousand tools is searched in a moment', () => {
  const many = buildCatalog([
    serverOf(
      'm',
      Array.from({ length: 1000 }, (_value, index) =>
        toolOf(`tool_${index}`, { description: 'Does one of many things. '.repeat(10) }),
      ),
    ),
  ]);
  const startedAt = performance.now();
  assert.equal(findTools(many, 'tool 777', 3)[0]?.definition.name, 'tool_777');
  assert.ok(performance.now() - startedAt < 2000);
});
