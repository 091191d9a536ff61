import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as util from 'node:util';
import { defaultLimits } from '../../../src/core/settings/limits.ts';
import { buildCatalog, type ToolCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { failureParts, type ToolCallRequest } from '../../../src/core/tools/toolCall.ts';
import { PastNames } from '../../../src/core/tools/pastNames.ts';
import { ToolCaller, type CallerPorts } from '../../../src/core/tools/toolCaller.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';
import { stubServers } from '../../support/stubServers.ts';

const inputSchema = { type: 'object', properties: { n: { type: 'number' } } };
const limits = { ...defaultLimits, argumentChars: 1000 };
const catalog = buildCatalog([
  serverOf(configurationOf('s', { deny: ['secret'], limits }), [
    toolOf('add.one', { inputSchema }),
    toolOf('odd', { inputSchema: { properties: { $top: { type: 'integer' } } } }),
    toolOf('secret'),
  ]),
]);

/** A caller over servers that answer every call, and the calls they got. */
function callerOf(
  current: () => ToolCatalog = () => catalog,
  result: unknown = {},
  ports: CallerPorts = {},
) {
  const calls: Omit<ToolCallRequest, 'signal'>[] = [];
  const reads: unknown[] = [];
  const servers = stubServers({
    readResource: ({ signal: _signal, ...request }) => {
      reads.push(request);
      const contents = [{ uri: request.uri, text: 'what it holds' }];
      return Promise.resolve({ kind: 'answer', result: { contents } });
    },
    callTool: ({ signal: _signal, ...call }) => {
      calls.push(call);
      return Promise.resolve({ kind: 'answer', result });
    },
  });
  return { calls, reads, caller: new ToolCaller(servers, current, ports) };
}

const { signal } = new AbortController();

test("a call goes to the tool's server under the server's own name", async () => {
  const { calls, caller } = callerOf();
  const outcomes = [
    await caller.call('s__add_one', { n: 1 }, signal),
    await caller.call('s__add_one', undefined, signal),
    await caller.call('s__add_one', null, signal),
  ];
  assert.deepEqual(
    { calls, kinds: outcomes.map(({ kind }) => kind) },
    {
      calls: [{ n: 1 }, {}, {}].map((args) => ({
        serverId: 'user/s',
        tool: 'add.one',
        arguments: args,
      })),
      kinds: ['result', 'result', 'result'],
    },
  );
});

test('the server gets its own names and types, whichever the caller used', async () => {
  const { calls, caller } = callerOf();
  for (const input of [{ top: 5 }, { $top: 5 }, { top: '5' }, '{"top":5}']) {
    await caller.call('s__odd', input, signal);
  }
  for (const input of ['', 'null', {}]) await caller.call('s__odd', input, signal);
  assert.deepEqual(
    calls.map((call) => call.arguments),
    [{ $top: 5 }, { $top: 5 }, { $top: 5 }, { $top: 5 }, {}, {}, {}],
  );
});

const refused: readonly (readonly [name: string, input: unknown, code: string, says: RegExp])[] = [
  ['s__add_one', { n: 'x' }, 'invalidArguments', /not called:\n- "n" must be number\nCorrect/],
  ['s__add_one', [1], 'invalidArguments', /must be a JSON object/],
  ['s__add_one', 'text', 'invalidArguments', /must be a JSON object/],
  ['s__odd', { top: 'x' }, 'invalidArguments', /- "top" must be integer/],
  [
    's__odd',
    { x: 'x'.repeat(1000) },
    'invalidArguments',
    /1008 characters long.*at most 1000 .*less/,
  ],
  [
    's__odd',
    JSON.parse(`${'{"x":'.repeat(70)}1${'}'.repeat(70)}`),
    'invalidArguments',
    /deeper than 64/,
  ],
  [
    's__odd',
    JSON.parse(`${'{"x":'.repeat(9000)}1${'}'.repeat(9000)}`),
    'invalidArguments',
    /deeper/,
  ],
  ['s__gone', {}, 'toolUnknown', /no tool "s__gone" now.*mcp_bridge_find_tools/],
  ['constructor', {}, 'toolUnknown', /no tool "constructor" now/],
  ['s__secret', {}, 'notAllowed', /denied by the pattern "secret" .*the user decides/],
];

for (const [name, input, code, says] of refused) {
  test(`a call of ${name} with ${util.inspect(input).slice(0, 60)} does not reach the server`, async () => {
    const { calls, caller } = callerOf();
    const outcome = await caller.call(name, input, signal);
    assert.ok(outcome.kind === 'failure');
    assert.match(outcome.message, says);
    assert.deepEqual([outcome.code, calls], [code, []]);
  });
}

test('a call of the tool for resources reads one, and is checked like any other', async () => {
  const definitions = { resources: [{ uri: 'a:1', name: 'one' }], templates: [], problems: [] };
  const current = buildCatalog([{ ...serverOf('s', []), resources: definitions }]);
  const { calls, reads, caller } = callerOf(() => current);
  const outcome = await caller.call('s__read_resource', { uri: 'a:2' }, signal);
  const wrong = await caller.call('s__read_resource', {}, signal);
  assert.deepEqual(
    { calls, reads, wrong: wrong.kind === 'failure' && wrong.code },
    { calls: [], reads: [{ serverId: 'user/s', uri: 'a:2' }], wrong: 'invalidArguments' },
  );
  assert.match(JSON.stringify(outcome), /what it holds/);
});

test('a cancelled call rejects and does not reach the server', async () => {
  const { calls, caller } = callerOf();
  await assert.rejects(caller.call('s__add_one', {}, AbortSignal.abort()), { name: 'AbortError' });
  assert.deepEqual(calls, []);
});

test('a tool that is denied while its arguments are checked is not called', async () => {
  let current = catalog;
  const { calls, caller } = callerOf(() => current);
  const pending = caller.call('s__add_one', {}, signal);
  current = buildCatalog([
    serverOf(configurationOf('s', { deny: ['*'] }), [toolOf('add.one', { inputSchema })]),
  ]);
  const outcome = await pending;
  assert.deepEqual([outcome.kind, calls], ['failure', []]);
});

test('a name that moves to another tool while arguments are checked is judged anew', async () => {
  const numbers = { type: 'object', properties: { n: { type: 'number' } } };
  const served = (key: string): ToolCatalog =>
    buildCatalog([
      serverOf(configurationOf(key, { prefix: 'p' }), [toolOf('x', { inputSchema: numbers })]),
    ]);
  let current = served('one');
  const { calls, caller } = callerOf(() => current);
  const pending = caller.call('p__x', { n: 1 }, signal);
  current = served('two');
  assert.equal((await pending).kind, 'result');
  assert.deepEqual(
    calls.map(({ serverId }) => serverId),
    ['user/two'],
  );
});

test('a result is shaped to the limits of its server and to the budget of the caller', async () => {
  const limited = buildCatalog([
    serverOf(configurationOf('s', { limits: { ...defaultLimits, resultChars: 1000 } }), [
      toolOf('add.one'),
    ]),
  ]);
  const kept: string[] = [];
  const files = {
    write: (name: string, whole: string) => Promise.resolve(`/${name}/${kept.push(whole)}`),
  };
  const lines = 'line\n'.repeat(1000);
  const { caller } = callerOf(() => limited, { content: lines }, { files });
  const tokens = {
    tokenBudget: 200,
    countTokens: (value: string) => Promise.resolve(value.length),
  };
  const lengths = await Promise.all(
    [undefined, tokens].map(async (budget) => {
      const outcome = await caller.call('s__add_one', {}, signal, { tokens: budget });
      assert.ok(outcome.kind === 'result' && outcome.parts[0]?.kind === 'text');
      assert.match(
        outcome.parts[0].text,
        /left out; the whole text is in the file \/s__add_one\/\d:/,
      );
      return outcome.parts[0].text.length;
    }),
  );
  const [byLimit = 0, byBudget = 0] = lengths;
  assert.ok(byLimit <= 1000 && byLimit > 900 && byBudget <= 250, lengths.join());
  assert.deepEqual(kept, [lines, lines]);
});

test('a result that breaks its output schema is a warning for the log, not for the model', async () => {
  const outputSchema = { type: 'object', required: ['data'] };
  const checked = buildCatalog([serverOf('s', [toolOf('add.one', { outputSchema })])]);
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const { caller } = callerOf(() => checked, { content: 'plain answer' }, { warn });
  const outcome = await caller.call('s__add_one', {}, signal);
  assert.ok(outcome.kind === 'result');
  assert.deepEqual(
    [outcome.isError, outcome.parts, outcome.warnings.length],
    [false, [{ kind: 'text', text: 'plain answer' }], 1],
  );
  assert.match(warnings.join(), /^The tool "s__add_one": It declares an output schema, but/);
});

test('a failure is one text that begins with what it is', () => {
  assert.deepEqual(failureParts('The disk is full.'), [
    { kind: 'text', text: 'Error: The disk is full.' },
  ]);
});

test('a name from before the settings changed reaches the same tool, under the rules of now', async () => {
  const names = new PastNames();
  names.update(catalog);
  const renamed = buildCatalog([
    serverOf(configurationOf('s', { prefix: 'other', deny: ['secret'] }), [
      toolOf('add.one', { inputSchema }),
      toolOf('secret'),
    ]),
  ]);
  names.update(renamed);
  const { calls, caller } = callerOf(() => renamed, {}, { pastNames: names });
  assert.equal((await caller.call('s__add_one', { n: 1 }, signal)).kind, 'result');
  const wrong = await caller.call('s__add_one', { n: 'x' }, signal);
  const denied = await caller.call('s__secret', {}, signal);
  assert.deepEqual(
    [wrong, denied].map((outcome) => outcome.kind === 'failure' && outcome.code),
    ['invalidArguments', 'notAllowed'],
  );
  assert.deepEqual(calls, [{ serverId: 'user/s', tool: 'add.one', arguments: { n: 1 } }]);
});

test('what a server says to programs is handed on to them, and never to the model', async () => {
  const answers: [meta: unknown, handedOn: unknown][] = [
    [{ 'a/b': [1] }, { 'a/b': [1] }],
    ['text', undefined],
    [{ big: 'x'.repeat(200_000) }, undefined],
  ];
  const catalog = buildCatalog([serverOf('s', [toolOf('add.one')])]);
  for (const [_meta, handedOn] of answers) {
    const { caller } = callerOf(() => catalog, { content: [{ type: 'text', text: 'ok' }], _meta });
    const outcome = await caller.call('s__add_one', {}, signal);
    assert.ok(outcome.kind === 'result');
    assert.deepEqual([outcome.parts, outcome.meta], [[{ kind: 'text', text: 'ok' }], handedOn]);
  }
});
