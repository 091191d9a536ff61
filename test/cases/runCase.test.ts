import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/base/json.ts';
import { expand, parseFixtures } from './fixture.ts';
import { runCase } from './runCase.ts';

const anyObject = { type: 'object', properties: {} };

/** Cases that must fail, each with what its failure says. A runner that lets one of them pass proves nothing. */
const wrong: readonly (readonly [
  name: string,
  kind: string,
  input: JsonObject,
  expect: JsonObject,
  says: RegExp,
])[] = [
  ['an unknown kind', 'tool-nmaes', {}, {}, /unknown kind "tool-nmaes"/],
  [
    'an unknown member of expect',
    'tool-names',
    { servers: [{ name: 's', tools: ['a'] }] },
    { exposedCout: 1 },
    /exposedCout: .*this runner knows/,
  ],
  ['an unknown member of input', 'tool-names', { servers: [], extra: 1 }, {}, /"input": extra/],
  [
    'a wrong count',
    'tool-names',
    { servers: { s: ['a', 'b'] } },
    { exposedCount: 3 },
    /exposedCount: expected 3, seen 2/,
  ],
  [
    'a name that breaks the pattern',
    'tool-names',
    { servers: [{ name: '', tools: ['vscode_open'] }] },
    { namePattern: '^[a-z]{1,3}$', forbiddenPrefixes: ['bridge_'] },
    /namePattern: .*\n*.*forbiddenPrefixes/,
  ],
  [
    'an unknown op',
    'input-schema',
    { tool: { name: 't', inputSchema: {} } },
    { checks: [{ op: 'everyArrayHasItmes' }] },
    /unknown op: "everyArrayHasItmes"/,
  ],
  [
    'an unknown op for a tool that is left out',
    'input-schema',
    { tool: { name: 't', inputSchema: [] } },
    { registered: 'either', checks: [{ op: 'nothing' }] },
    /unknown op: "nothing"/,
  ],
  [
    'schemas and calls that are not as expected',
    'input-schema',
    {
      tool: {
        name: 't',
        inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    },
    {
      registered: true,
      siblingsRegistered: false,
      checks: [{ op: 'propertyCount', value: 2 }],
      accepts: [{ n: 'x' }],
      rejects: [{ n: 1 }],
      calls: [{ fill: { n: 1 }, sent: { n: 2 } }],
    },
    /sent: .*\nsiblingsRegistered: .*\npropertyCount: .*\naccepts: .*\nrejects: /,
  ],
  [
    'a list that is not as expected',
    'tools-list',
    {
      pages: [
        { tools: [{ name: 'a', description: 'A.', inputSchema: anyObject }], nextCursor: '2' },
        { tools: [{ name: 'b', description: 'B.', inputSchema: anyObject }] },
      ],
    },
    { connected: false, registeredTools: ['a'], warnCountMin: 1 },
    /connected: .*\nregisteredTools: expected \["a"\], seen \["a","b"\]\nwarnCountMin/,
  ],
  [
    'a result that is not as expected',
    'tool-result',
    { result: { content: [{ type: 'text', text: 'one two' }] } },
    {
      throws: true,
      textContains: 'three',
      textNotContains: ['one'],
      orderOf: ['two', 'one'],
      dataParts: ['image/png'],
      occurrences: [{ text: 'o', max: 1 }],
      maxTextChars: 3,
      saysTruncated: true,
      warn: true,
    },
    /throws: .*\ntextContains: .*\ntextNotContains: .*\norderOf: .*\ndataParts: .*\no max: .*\nmaxTextChars: .*\nsaysTruncated: .*\nwarn: /,
  ],
  [
    'a step the server does not know',
    'stdio',
    { script: [{ when: 'spawn', do: [{ dance: true }] }] },
    {},
    /the script has an unknown step: \{"dance":true\}/,
  ],
  [
    'a session that is not as expected',
    'stdio',
    { script: [] },
    {
      connected: false,
      tools: ['other'],
      calls: [{ tool: 'echo', textEquals: 'no', failsWithinMs: 1 }],
      maxSpawns: 0,
      signalsReceived: ['SIGTERM'],
      notificationsSeen: ['notifications/cancelled'],
      maxRequests: { 'tools/list': 0 },
    },
    /connected: .*\ntools: .*\ntextEquals: .*\nfailsWithinMs: .*\nmaxSpawns: .*\nsignalsReceived: .*\nnotificationsSeen: .*\nmaxRequests/,
  ],
  [
    'a route the server does not know',
    'http',
    { routes: [{ match: { verb: 'GET' }, respond: {} }] },
    {},
    /a route has an unknown member of "match": "verb"/,
  ],
  [
    'a session over HTTP that is not as expected',
    'http',
    { routes: [{ match: { rpc: 'tools/call' }, respond: { status: 500, text: 'down' } }] },
    {
      connected: false,
      calls: [{ tool: 'echo', textContains: 'fine' }],
      sequenceContains: ['tools/call(s1)'],
      everyRpcAt: '/other',
      requestHad: ['header:authorization=Bearer x'],
      maxRequests: { POST: 1 },
    },
    /connected: .*\ntextContains: .*\nsequenceContains: .*\neveryRpcAt: .*\nrequestHad: .*\nmaxRequests POST/,
  ],
  [
    'settings that are not as expected',
    'config',
    { servers: { a: { command: 'x' }, b: null }, env: {}, home: '/h', folders: [] },
    {
      started: ['b'],
      transports: { a: 'http' },
      servers: { a: { command: 'y' } },
      problems: [],
      childEnv: { a: { PATH: '/bin' } },
    },
    /started: .*\ntransports: .*\na\.command: .*\nproblems: .*\nenvironment PATH/,
  ],
  [
    'a start that is not as expected',
    'spawn-plan',
    { platform: 'win32', files: ['C:\\a\\t.cmd'], path: 'C:\\a', command: 't', args: ['x'] },
    {
      childArgv: ['t.exe', 'x'],
      resolvesTo: 'C:\\b\\t.cmd',
      usesShell: false,
      extraCommandsRun: 1,
      errorMentions: 'not found',
    },
    /childArgv: .*\nresolvesTo: .*\nusesShell: .*\nextraCommandsRun: expected 1, seen 0\nerrorMentions/,
  ],
];

const everyKind = new Set(wrong.map(([, kind]) => kind));

for (const [name, kind, input, expect, says] of wrong) {
  test(`${name} is a failure`, async () => {
    const outcome = await runCase({ id: 'X', kind, input, expect }, everyKind);
    assert.ok(outcome.kind === 'failed', outcome.kind);
    assert.match(outcome.failures.join('\n'), says);
  });
}

const badFiles: readonly (readonly [value: unknown, says: RegExp])[] = [
  [{}, /f: must be a list/],
  [[1], /fixture 1 must be an object/],
  [[{ kind: 'stdio', input: {}, expect: {} }], /fixture 1 needs an "id"/],
  [[{ id: 'A', input: {}, expect: {} }], /"A"\) needs a "kind"/],
  [[{ id: 'A', kind: 'stdio', input: [], expect: {} }], /"A"\) needs an object "input"/],
  [[{ id: 'A', kind: 'stdio', input: {} }], /"A"\) needs an object "expect"/],
  [[{ id: 'A', kind: 'k', input: {}, expect: {}, expects: {} }], /unknown members: expects/],
];

for (const [value, says] of badFiles) {
  test(`${JSON.stringify(value)} is no file of cases`, () => {
    assert.throws(() => parseFixtures(value, 'f'), says);
  });
}

test('generated values become text', () => {
  assert.deepEqual(
    expand([{ $repeat: 'ab', $times: 2, $prefix: '<', $suffix: '>' }, { x: { $hex: '41ff' } }]),
    ['<abab>', { x: 'A\u00ff' }],
  );
});
