import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '../../src/core/settings/limits.ts';
import { listTools, toolsPage, type ToolsPage } from '../../src/mcp/listTools.ts';
import { maxListChars } from '../../src/mcp/readPages.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** Lists from pages that a function makes of the number of the request, from 0. */
async function list(page: (request: number) => unknown, limits = defaultLimits) {
  const cursors: (string | undefined)[] = [];
  const { tools, problems, isFromCache } = await listTools((cursor): Promise<ToolsPage> => {
    cursors.push(cursor);
    return Promise.resolve(toolsPage.parse(page(cursors.length - 1)));
  }, limits);
  return {
    messages: problems.map(({ message }) => message),
    names: tools.map(({ name }) => name),
    problems: problems.map(({ where }) => where),
    cursors,
    isFromCache,
  };
}

const incomplete = 'tools/list';

test('all pages are read, in order', async () => {
  const pages = [
    { tools: [tool('a'), tool('b')], nextCursor: '2' },
    { tools: [], nextCursor: '3' },
    { tools: [tool('c')] },
  ];
  assert.deepEqual(await list((request) => pages[request]), {
    messages: [],
    names: ['a', 'b', 'c'],
    problems: [],
    cursors: [undefined, '2', '3'],
    isFromCache: false,
  });
});

test('cursors that are no cursors end the list', async () => {
  for (const nextCursor of [null, '', 5, 'x'.repeat(5000)]) {
    const { names, cursors } = await list(() => ({ tools: [tool('a')], nextCursor }));
    assert.deepEqual([names, cursors.length], [['a'], 1]);
  }
});

const loops: Readonly<Record<string, (request: number) => unknown>> = {
  'a cursor that never moves': () => ({ tools: [tool('a')], nextCursor: 'same' }),
  'a page that comes again under another cursor': (request) => ({
    tools: [tool('a')],
    nextCursor: String(request),
  }),
  'cursors that go in a circle': (request) => ({
    tools: request < 3 ? [tool(`${request}`), tool('a')] : [],
    nextCursor: String(request % 3),
  }),
};

for (const [name, page] of Object.entries(loops)) {
  test(`${name} ends the list, and what was read is kept`, async () => {
    const { names, problems, cursors } = await list(page);
    assert.ok(names.includes('a') && cursors.length <= 5);
    assert.ok(problems.includes(incomplete));
  });
}

test('pages and tools are limited, and the stop is reported', async () => {
  const endless = await list((request) => ({
    tools: [tool(`t${request}`)],
    nextCursor: String(request),
  }));
  const huge = await list((request) => ({
    tools: Array.from({ length: 600 }, (_value, index) => tool(`t${request}_${index}`)),
    nextCursor: String(request),
  }));
  assert.deepEqual(
    [endless, huge].map(({ names, problems, cursors }) => [names.length, problems, cursors.length]),
    [
      [defaultLimits.pages, [incomplete], defaultLimits.pages],
      [defaultLimits.tools, [incomplete], 2],
    ],
  );
});

test('a result of any form is read as far as it goes', async () => {
  const results = [{}, { tools: null }, { tools: 'x' }, { tools: [null, tool('a'), 5] }];
  const found: unknown[] = [];
  for (const result of results) {
    const { names, problems } = await list(() => result);
    found.push([names, problems.length]);
  }
  assert.deepEqual(found, [
    [[], 0],
    [[], 0],
    [[], 0],
    [['a'], 2],
  ]);
});

test('a page that is nested too deeply to be compared costs its own tool only', async () => {
  const deep = (): unknown =>
    JSON.parse(`{"name":"deep","inputSchema":{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`);
  const { names } = await list((request) => ({
    tools: [tool(`t${request}`), deep()],
    ...(request < 2 && { nextCursor: String(request) }),
  }));
  assert.deepEqual(names, ['t0', 't1', 't2']);
});

test('a page that cannot be had fails the list', async () => {
  await assert.rejects(
    listTools(() => Promise.reject(new Error('gone')), defaultLimits),
    /gone/,
  );
});

const schema = (size: number) => ({ type: 'object', description: 'x'.repeat(size) });

const limited: readonly (readonly [
  limits: Partial<typeof defaultLimits>,
  page: (request: number) => unknown,
  names: string,
  says: RegExp | undefined,
])[] = [
  [
    { tools: 2 },
    () => ({ tools: [tool('a'), tool('b'), tool('c')] }),
    'a b',
    /first 2 .*"limits.tools"/,
  ],
  [{ tools: 3 }, () => ({ tools: [tool('a'), tool('b'), tool('c')] }), 'a b c', undefined],
  [
    { pages: 2 },
    (request) => ({ tools: [tool(`t${request}`)], nextCursor: `${request}` }),
    't0 t1',
    /first 2 pages .*"limits.pages"/,
  ],
  [{ pages: 1 }, () => ({ tools: [tool('a')] }), 'a', undefined],
  [
    { schemaChars: 1000 },
    () => ({
      tools: [
        { name: 'big', inputSchema: schema(2000) },
        { name: 'a', inputSchema: schema(900) },
      ],
    }),
    'a',
    /^"big" is left out: its input schema has 20\d\d characters, more than the 1000 of "limits.schemaChars"/,
  ],
  [
    { schemaChars: 3000 },
    () => ({ tools: [{ name: 'big', inputSchema: schema(2000) }] }),
    'big',
    undefined,
  ],
];

for (const [limits, page, names, says] of limited) {
  test(`with ${JSON.stringify(limits)} the tools are ${names}`, async () => {
    const read = await list(page, { ...defaultLimits, ...limits });
    assert.equal(read.names.join(' '), names);
    assert.equal(read.messages.length, says === undefined ? 0 : 1);
    if (says !== undefined) assert.match(read.messages[0] ?? '', says);
  });
}

test('a list of more JSON than is ever needed ends where it gets too long', async () => {
  const { names, messages, cursors } = await list((request) => ({
    tools: Array.from({ length: 10 }, (_value, index) => ({
      name: `t${request}_${index}`,
      inputSchema: schema(100_000),
    })),
    nextCursor: String(request),
  }));
  assert.equal(names.length, Math.floor(maxListChars / 100_100));
  assert.equal(cursors.length, 5);
  assert.match(messages[0] ?? '', /more than 4194304 characters/);
});
