import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { TestClients, duckOf, failureOf, tool } from '../support/clients.ts';

const cyclic: Record<string, unknown> = { ...tool('cyclic') };
cyclic['inputSchema'] = { type: 'object', self: cyclic };

/** What `listTools` does → state and tools that come of it. */
const lists: Readonly<Record<string, readonly [list: () => unknown, seen: readonly unknown[]]>> = {
  'a plain list': [() => [tool('a')], ['running', ['a'], []]],
  'an object, at once': [() => ({ tools: [tool('a')] }), ['running', ['a'], []]],
  'bad tools among good ones': [
    () => [tool('a'), cyclic, 7, null, { name: 'x', inputSchema: 1 }, 10n, tool('constructor')],
    [
      'running',
      ['a', 'constructor'],
      ['(unnamed tool)', '(unnamed tool)', '(unnamed tool)', 'x', '(unnamed tool)'],
    ],
  ],
  nothing: [() => undefined, ['error', [], []]],
  'an object without tools': [() => ({ tools: 'many' }), ['error', [], []]],
  'a throw': [
    () => {
      throw new Error('broken');
    },
    ['error', [], []],
  ],
  'a rejection with something odd': [
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- foreign code does such things
    () => Promise.reject(null),
    ['error', [], []],
  ],
  'more than is read': [
    () => Array.from({ length: 150_000 }, (_, index) => tool(`t${index}`)),
    ['running', 1000, ['tools/list']],
  ],
};

for (const [name, [listTools, seen]] of Object.entries(lists)) {
  test(`listTools that gives ${name} is survived`, async () => {
    using clients = await TestClients.of({ client: { ...duckOf(), listTools } });
    const names = clients.toolNames();
    assert.deepEqual(
      [
        clients.view()?.state.kind,
        typeof seen[1] === 'number' ? names.length : names,
        clients.problems().map((text) => text.split(': ')[0]),
      ],
      seen,
    );
  });
}

test('pages are followed with the cursor, and one that never answers is given up', async () => {
  const asked: unknown[] = [];
  const pages = {
    ...duckOf(),
    listTools: (params: unknown) => {
      asked.push(params);
      return params === undefined
        ? { tools: [tool('a')], nextCursor: 'two' }
        : { tools: [tool('b')] };
    },
  };
  using clients = await TestClients.of({ client: pages });
  assert.deepEqual(
    [clients.toolNames(), asked],
    [
      ['a', 'b'],
      [undefined, { cursor: 'two' }],
    ],
  );

  const signals: AbortSignal[] = [];
  const silent = {
    ...duckOf(),
    listTools: (_params: unknown, { signal }: { signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  };
  using waiting = await TestClients.of({ client: silent }, { timeouts: { connect: 1 } });
  const state = waiting.view()?.state;
  assert.ok(state?.kind === 'error');
  assert.match(state.message, /could not be read: No answer within 1000 ms/);
  assert.equal(signals[0]?.aborted, true);
});

test('the filter keeps, drops and alters; where it fails it costs that tool only', async () => {
  using clients = await TestClients.of({
    client: duckOf(...['keep', 'drop', 'alter', 'rename', 'throw', 'odd', 'last'].map(tool)),
    filter: (definition: { name: string; description: string }) => {
      switch (definition.name) {
        case 'drop':
          return false;
        case 'alter':
          return { ...definition, description: 'Altered.', inputSchema: { type: 'object', x: 1 } };
        case 'rename':
          return { ...definition, name: 'other' };
        case 'throw':
          throw new Error('oops');
        case 'odd':
          return undefined;
        default:
          definition.description = 'changed in place';
          return true;
      }
    },
  });
  assert.deepEqual(
    clients.view()?.tools?.tools.map(({ name, description }) => [name, description]),
    [
      ['keep', 'keep'],
      ['alter', 'Altered.'],
      ['last', 'last'],
    ],
  );
  assert.deepEqual(clients.problems(), [
    'rename: Left out: the filter of its extension gave neither true, false nor a definition of the same name.',
    'throw: Left out: the filter of its extension failed: oops',
    'odd: Left out: the filter of its extension gave neither true, false nor a definition of the same name.',
    'filter: Left out by the filter of its extension: drop.',
  ]);
});

test('the validator refuses calls, and its failures refuse them too', async () => {
  const duck = duckOf(tool('a'));
  using clients = await TestClients.of(
    {
      client: duck,
      validate: ({ name }: { name: string }, args: Record<string, unknown>) => {
        const { mode } = args;
        args['mode'] = 'changed';
        if (mode === 'throw') throw new Error('oops');
        if (mode === 'later') return Promise.resolve('too late');
        if (mode === 'hang') return new Promise(() => undefined);
        if (mode === 'odd') return false;
        return mode === 'bad' ? `${name} does not do that` : undefined;
      },
    },
    { timeouts: { call: 1 } },
  );
  const says = async (mode: string): Promise<string> =>
    failureOf(await clients.call('a', { mode })).message;
  assert.match(
    await says('bad'),
    /^The arguments for "a" were refused by "it", so it was not called: a does not do that\n/,
  );
  assert.match(await says('later'), /not called: too late\n/);
  assert.match(await says('odd'), /not called: no reason given\n/);
  assert.match(
    await says('throw'),
    /check of the arguments .* failed \(oops\), so "a" was not called/,
  );
  assert.match(await says('hang'), /failed \(No answer within 1000 ms\), so "a" was not called/);
  assert.deepEqual(duck.calls, []);
  assert.equal((await clients.call('a', { mode: 'good' })).kind, 'answer');
  assert.deepEqual(duck.calls, [{ name: 'a', arguments: { mode: 'good' } }]);
});

/** What `callTool` does → what comes of it. */
const answers: Readonly<Record<string, readonly [call: () => unknown, outcome: RegExp]>> = {
  'an answer at once': [
    () => ({ content: [], isError: true }),
    /^{"content":\[\],"isError":true}$/,
  ],
  nothing: [() => undefined, /^null$/],
  'something cyclic': [() => cyclic, /^protocol: .*something that is no JSON. The call was made/],
  'a throw': [
    () => {
      throw new Error('broken');
    },
    /^connectionLost: .*failed: broken\. Whether the call took effect is unknown/,
  ],
  'a JSON-RPC error': [
    () => Promise.reject(Object.assign(new Error('no such city'), { code: -32602 })),
    /^protocol: The MCP server "it" answered the call of "a" with an error: no such city$/,
  ],
  silence: [() => new Promise(() => undefined), /^timedOut: .*within 1 s/],
};

for (const [name, [callTool, outcome]] of Object.entries(answers)) {
  test(`callTool that gives ${name} ends honestly`, async () => {
    using clients = await TestClients.of(
      { client: { ...duckOf(tool('a')), callTool } },
      { timeouts: { call: 1 } },
    );
    const answer = await clients.call('a');
    const text =
      answer.kind === 'failure'
        ? `${answer.code}: ${answer.message}`
        : JSON.stringify(answer.result);
    assert.match(text, outcome);
  });
}

test('progress keeps a call alive until the total time is over', async () => {
  const client = {
    ...duckOf(tool('a')),
    callTool: async (
      _params: unknown,
      { signal, onprogress }: { signal: AbortSignal; onprogress: () => void },
    ) => {
      while (!signal.aborted) {
        onprogress();
        await pause(100);
      }
      onprogress();
    },
  };
  using clients = await TestClients.of({ client }, { timeouts: { call: 1, total: 2 } });
  const startedAt = performance.now();
  assert.match(failureOf(await clients.call('a')).message, /within 2 s .* "timeouts\.total"/);
  assert.ok(performance.now() - startedAt > 1900);
});
