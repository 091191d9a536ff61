import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTool, readTools } from '../../../src/core/tools/toolDefinition.ts';

const inputSchema = { type: 'object', properties: {} };

test('a tool is taken over as the server described it', () => {
  const tool = {
    name: 'get_issue',
    title: 'Get Issue',
    description: 'Gets it.',
    inputSchema: { $schema: 'x', type: 'object', 'x-own': 1 },
    annotations: { title: 'Hint', readOnlyHint: true, unknown: 1 },
    outputSchema: { type: 'nonsense' },
    _meta: {},
  };
  const { name, title, description, annotations } = tool;
  assert.deepEqual(readTool(tool), {
    problems: [],
    tool: {
      ...{
        name,
        title,
        description,
        inputSchema: tool.inputSchema,
        outputSchema: tool.outputSchema,
      },
      annotations: { title: annotations.title, readOnlyHint: true },
    },
  });
});

test('what is missing or of a wrong form beside the name does no harm', () => {
  const { tools, problems } = readTools([
    { name: 'a', description: 5, title: null, annotations: 'x', inputSchema },
    { name: 'b', annotations: { readOnlyHint: 'yes', title: 5 }, inputSchema: {} },
    { name: 'c', inputSchema: null },
    { name: 'd', inputSchema: { type: ['object', 'null'] }, description: 'cut \ud83d' },
  ]);
  const noArguments = { type: 'object', properties: {} };
  assert.deepEqual(
    { tools, problems: problems.map(({ where }) => where) },
    {
      tools: [
        { name: 'a', description: '', inputSchema, annotations: {} },
        { name: 'b', description: '', inputSchema: {}, annotations: {} },
        { name: 'c', description: '', inputSchema: noArguments, annotations: {} },
        {
          name: 'd',
          description: 'cut \ufffd',
          inputSchema: { type: ['object', 'null'] },
          annotations: {},
        },
      ],
      problems: ['c'],
    },
  );
});

/** `levels` of nesting, as text: no recursion of ours may fail here. */
const nested = (levels: number): unknown =>
  JSON.parse(`{"type":"object","default":${'['.repeat(levels)}${']'.repeat(levels)}}`);

const unusable: readonly (readonly [value: unknown, where: string])[] = [
  [null, '(unnamed tool)'],
  ['text', '(unnamed tool)'],
  [[], '(unnamed tool)'],
  [{ inputSchema }, '(unnamed tool)'],
  [{ name: 5, inputSchema }, '(unnamed tool)'],
  [{ name: ' ', inputSchema }, ' '],
  [{ name: 'x'.repeat(257), inputSchema }, 'x'.repeat(64)],
  [{ name: 'text', inputSchema: { type: 'string' } }, 'text'],
  [{ name: 'list', inputSchema: [{}] }, 'list'],
  [{ name: 'number', inputSchema: { type: 'int' } }, 'number'],
  [{ name: 'false', inputSchema: false }, 'false'],
  [{ name: 'huge', inputSchema: { description: 'x'.repeat(300_000) } }, 'huge'],
  [{ name: 'deep', inputSchema: nested(1000) }, 'deep'],
  [{ name: 'deeper', inputSchema: nested(100_000) }, 'deeper'],
];

test('T44 a tool that cannot be used costs itself only, and is reported', () => {
  const { tools, problems } = readTools([
    { name: 'first', inputSchema },
    ...unusable.map(([value]) => value),
    { name: 'last', inputSchema },
  ]);
  assert.deepEqual(
    { tools: tools.map(({ name }) => name), problems: problems.map(({ where }) => where) },
    { tools: ['first', 'last'], problems: unusable.map(([, where]) => where) },
  );
});

test('T39 of two tools with one name the first is used; names of object members are names', () => {
  const { tools, problems } = readTools([
    { name: 'constructor', description: 'one', inputSchema },
    { name: '__proto__', inputSchema },
    { name: 'constructor', description: 'two', inputSchema },
  ]);
  assert.deepEqual(
    {
      tools: tools.map(({ name, description }) => [name, description]),
      problems: problems.map(({ where }) => where),
    },
    {
      tools: [
        ['constructor', 'one'],
        ['__proto__', ''],
      ],
      problems: ['constructor'],
    },
  );
});

test('a root that can be an object is taken, however it says so', () => {
  const roots: readonly unknown[] = [
    true,
    { type: 'dict' },
    { type: 'any' },
    { type: ['null', 'OBJECT'] },
    { anyOf: [inputSchema] },
    { $ref: '#/$defs/a', $defs: { a: inputSchema } },
  ];
  const { tools, problems } = readTools(
    roots.map((root, index) => ({ name: `t${index}`, inputSchema: root })),
  );
  assert.deepEqual([tools.length, problems], [roots.length, []]);
  const missing = readTools([
    { name: 'a' },
    { name: 'b', inputSchema: null },
    { name: 'c', inputSchema: [] },
  ]);
  assert.deepEqual(
    [missing.tools.map((tool) => tool.inputSchema), missing.problems.map(({ where }) => where)],
    [
      [inputSchema, inputSchema, inputSchema],
      ['a', 'b', 'c'],
    ],
  );
});

test('an output schema that points nowhere costs only the check of results', () => {
  const broken = { type: 'object', properties: { screen: { $ref: '#/$defs/Screen' } } };
  const { tools, problems } = readTools([
    { name: 'draw', inputSchema, outputSchema: broken },
    { name: 'fine', inputSchema, outputSchema: { ...broken, $defs: { Screen: true } } },
  ]);
  assert.deepEqual(
    [
      tools.map(({ outputSchema }) => outputSchema !== undefined),
      problems.map(({ where }) => where),
    ],
    [[false, true], ['draw']],
  );
});
