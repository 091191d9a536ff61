import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTools, foundText, maxAnswer, maxFound } from '../../../src/core/tools/findTools.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';

const catalog = buildCatalog([
  serverOf('github', [
    toolOf('create_issue', {
      description: 'Opens a new issue in a repository.',
      inputSchema: {
        type: 'object',
        properties: { assignee: { description: 'Who is responsible.' }, repository: {} },
      },
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
  findTools(catalog, query, limit).tools.map(({ exposedName }) => exposedName);

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
  ['issue create', 'github__create_issue'],
  ['please create an issue for me', 'github__create_issue'],
  ['creating issues', 'github__create_issue'],
  ['github__get_file', 'github__get_file'],
  ['List Pull Requests', 'github__listPullRequests'],
  ['who is responsible', 'github__create_issue'],
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
    [-1, 0, 1, 7, 20, 500].map((limit) => findTools(many, 'tool', limit).tools.length),
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
  assert.equal(findTools(many, 'tool 777', 3).tools[0]?.definition.name, 'tool_777');
  assert.ok(performance.now() - startedAt < 2000);
});

test('an answer holds name, server, description and schema, and is one short text', () => {
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const few = buildCatalog([
    serverOf('s', [toolOf('echo', { description: 'Says it again.', inputSchema })]),
  ]);
  assert.equal(
    foundText(findTools(few, 'echo', 5)),
    `name: s__echo\nserver: s\ndescription: Says it again.\ninputSchema: ${JSON.stringify(inputSchema)}`,
  );
});

test('where not everything fits, schemas stay whole and the rest is named and counted', () => {
  const property = { type: 'string', description: 'x'.repeat(475) };
  const properties = (size: number): object =>
    Object.fromEntries(Array.from({ length: size / 500 }, (_, index) => [`p${index}`, property]));
  const sized = (name: string, size: number) =>
    toolOf(name, { inputSchema: { type: 'object', properties: properties(size) as never } });
  const many = buildCatalog([
    serverOf('s', [
      sized('echo', 4000),
      sized('echo_two', 4000),
      sized('echo_three', 1000),
      toolOf('echo_four', { description: 'Echo. '.repeat(1000) }),
      toolOf('echo_five'),
    ]),
  ]);
  const text = foundText(findTools(many, 'echo', 4));
  const schemas = [...text.matchAll(/^inputSchema: (.*)$/gm)].map(([, schema]) =>
    JSON.parse(schema ?? ''),
  );
  assert.ok(text.length <= maxAnswer + 200, String(text.length));
  assert.ok(schemas.length >= 2);
  assert.match(text, /^name: s__echo\n/);
  assert.match(text, /No room for these, search for one by its name: s__echo_/);
  assert.match(text, /1 more tools match less well/);

  const huge = buildCatalog([serverOf('s', [sized('echo', 50_000)])]);
  assert.ok(foundText(findTools(huge, 'echo', 1)).length > 50_000, 'the best one is always whole');
});

test('the index of a catalog is made once', () => {
  const many = buildCatalog([
    serverOf(
      'm',
      Array.from({ length: 2000 }, (_value, index) =>
        toolOf(`tool_${index}`, {
          description: `Does the thing ${index} and many others. `.repeat(20),
        }),
      ),
    ),
  ]);
  const timed = (): number => {
    const startedAt = performance.now();
    findTools(many, 'tool 777', 3);
    return performance.now() - startedAt;
  };
  const first = timed();
  const again = Math.min(timed(), timed(), timed());
  assert.ok(again < first / 2, `first ${first} ms, then ${again} ms`);
});
