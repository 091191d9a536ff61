import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/event.ts';
import type { McpServer, McpServers } from '../../../src/core/servers/mcpServers.ts';
import { CatalogSource } from '../../../src/core/tools/catalogSource.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { defaultLimits, type Limits } from '../../../src/core/settings/limits.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';

test('every tool is there with what becomes of it, in the order of its server', () => {
  const servers = [
    serverOf(configurationOf('gh', { allow: ['get_*', 'no_such'], deny: ['*_secret'] }), [
      ...['get_issue', 'add_issue', 'get_secret'],
    ]),
    serverOf(configurationOf('many', { expose: 'search' }), ['find']),
    serverOf(configurationOf('off', { enabled: false }), ['any']),
    serverOf('unknown'),
  ];
  const catalog = buildCatalog(servers);
  assert.deepEqual(
    catalog.servers.map(({ prefix, tools, problems }) => ({
      prefix,
      tools: tools.map(({ exposedName, availability }) => [exposedName, availability]),
      problems: problems.map(({ where }) => where),
    })),
    [
      {
        prefix: 'gh',
        tools: [
          ['gh__get_issue', { kind: 'offered' }],
          ['gh__add_issue', { kind: 'leftOut', reason: 'not in the allow list' }],
          ['gh__get_secret', { kind: 'leftOut', reason: 'denied by the pattern "*_secret"' }],
        ],
        problems: ['no_such'],
      },
      { prefix: 'many', tools: [['many__find', { kind: 'search' }]], problems: [] },
      {
        prefix: 'off',
        tools: [['off__any', { kind: 'leftOut', reason: 'the server is switched off' }]],
        problems: [],
      },
      { prefix: 'unknown', tools: [], problems: [] },
    ],
  );
  assert.deepEqual(
    [...catalog.tools.keys()],
    ['gh__get_issue', 'gh__add_issue', 'gh__get_secret', 'many__find', 'off__any'],
  );
});

test('the fingerprint changes with what an agent is told, and with nothing else', () => {
  const fingerprint = (members: object, key = 'a'): string | undefined =>
    buildCatalog([serverOf(key, [toolOf('t', members)])]).servers[0]?.tools[0]?.fingerprint;
  const same = [
    {},
    { annotations: { readOnlyHint: true } },
    { inputSchema: { properties: {}, type: 'object' } },
    { inputSchema: { type: 'object', properties: {}, $schema: 'x' } },
    { inputSchema: { type: 'object' } },
  ];
  const different = [
    { description: 'Other.' },
    { title: 'T' },
    { inputSchema: { type: 'object', properties: { a: {} } } },
  ];
  assert.deepEqual(new Set(same.map((members) => fingerprint(members))).size, 1);
  assert.deepEqual(
    new Set([{}, ...different].map((members) => fingerprint(members)).concat(fingerprint({}, 'b')))
      .size,
    different.length + 2,
  );
});

test('a description is never empty, never too long and always well formed', () => {
  const described = (members: object): string | undefined =>
    buildCatalog([serverOf('a', [toolOf('t', members)])]).tools.get('a__t')?.modelDescription;
  const long = described({ description: `x${'🎉'.repeat(5000)}` }) ?? '';
  assert.deepEqual(
    [
      described({ description: '  ' }),
      described({ description: '', title: 'Title' }),
      described({ description: ' text ' }),
      [long.length, long.isWellFormed(), long.endsWith('…')],
    ],
    ['t', 'Title', 'text', [defaultLimits.descriptionChars, true, true]],
  );
});

test('what a tool is told as follows the limits of its server', () => {
  const tool = toolOf('t', {
    description: 'd'.repeat(5000),
    inputSchema: {
      anyOf: ['a', 'b'].map((name) => ({
        properties: {
          [name]: { type: 'array', items: { type: 'array', items: { type: 'array' } } },
        },
        required: [name],
      })),
    },
  });
  const described = (limits: Partial<Limits>) =>
    buildCatalog([
      serverOf(configurationOf('s', { limits: { ...defaultLimits, ...limits } }), [tool]),
    ]).tools.get('s__t');
  const [usual, small, again] = [
    described({}),
    described({ descriptionChars: 300, schemaDepth: 2 }),
    described({}),
  ];
  assert.deepEqual(
    [usual, small].map((one) => [
      one?.modelDescription.length,
      one?.modelDescription.endsWith('\n\nInput rules: Goes together: {a} or {b}.'),
    ]),
    [
      [2048, true],
      [300, true],
    ],
  );
  assert.equal(again?.modelSchema, usual?.modelSchema);
  assert.notEqual(small?.fingerprint, usual?.fingerprint);
  assert.deepEqual(small?.modelSchema['properties'], {
    a: { type: 'array', items: {} },
    b: { type: 'array', items: {} },
  });
});

/** Servers that change when the test says so. */
class ChangingServers implements McpServers {
  readonly #didChange = new Emitter<void>(assert.ifError);
  readonly onDidChangeServers = this.#didChange.event;
  servers: readonly McpServer[] = [];

  change(...servers: readonly McpServer[]): void {
    this.servers = servers;
    this.#didChange.fire();
  }

  start = (): Promise<never> => assert.fail();
  stop = (): Promise<never> => assert.fail();
  restart = (): Promise<never> => assert.fail();
  refresh = (): Promise<never> => assert.fail();
  callTool = (): Promise<never> => assert.fail();
  readResource = (): Promise<never> => assert.fail();
  getPrompt = (): Promise<never> => assert.fail();
  complete = (): Promise<never> => assert.fail();
}

test('a burst of changes gives one new catalog, which is current at once', async () => {
  const servers = new ChangingServers();
  const source = new CatalogSource(servers, assert.ifError);
  const seen: string[][] = [];
  source.onDidChangeCatalog(({ tools }) => seen.push([...tools.keys()]));
  servers.change(serverOf('a', ['x']));
  servers.change(serverOf('a', ['x', 'y']));
  const current = [...source.catalog.tools.keys()];
  servers.change(serverOf('a', ['z']));
  await Promise.resolve();
  await Promise.resolve();
  source.dispose();
  servers.change();
  await Promise.resolve();
  assert.deepEqual([current, seen.at(-1)], [['a__x', 'a__y'], ['a__z']]);
  assert.ok(seen.length <= 2);
});

test('what did not change is the same object in the next catalog', () => {
  const one = serverOf(configurationOf('one'), ['x', 'y']);
  const two = serverOf(configurationOf('two'), ['x']);
  const servers = new ChangingServers();
  servers.servers = [one, two];
  let budget = 10;
  const source = new CatalogSource(servers, assert.ifError, () => budget);
  const [before, other] = source.catalog.servers;
  servers.change({ ...one }, { ...two, state: { kind: 'starting', since: 1 } });
  const [same, started] = source.catalog.servers;
  assert.equal(same, before);
  assert.notEqual(started, other);
  assert.equal(started?.tools, other?.tools);
  assert.equal(source.catalog.tools.get('one__x'), before?.tools[0]);

  budget = 2;
  source.invalidate();
  const [squeezed, kept] = source.catalog.servers;
  assert.notEqual(squeezed?.tools, before?.tools);
  assert.equal(kept?.tools, other?.tools);
  assert.deepEqual(
    squeezed?.tools.map(({ availability }) => availability.kind),
    ['offered', 'search'],
  );
  source.dispose();
});
