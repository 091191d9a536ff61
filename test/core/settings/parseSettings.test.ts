import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maxServers,
  parseSettings,
  type SettingsLayer,
} from '../../../src/core/settings/parseSettings.ts';
import { configurationOf } from '../../support/builders.ts';

const user = (value: unknown): SettingsLayer => ({ origin: { scope: 'user' }, value });
const workspace = (value: unknown): SettingsLayer => ({ origin: { scope: 'workspace' }, value });
const folder = (name: string, value: unknown): SettingsLayer => ({
  origin: { scope: 'folder', folder: { name, uri: `file:///${name}`, path: `/${name}` } },
  value,
});

/** The launch made of one entry, or the places of its problems. */
function launchOf(entry: unknown): unknown {
  const { configurations, invalid } = parseSettings([user({ it: entry })]);
  return (
    configurations[0]?.launch ?? invalid.flatMap(({ problems }) => problems.map((p) => p.where))
  );
}

const noEnv = { args: [], env: {} };
const http = { type: 'http', url: 'https://a.test/', headers: {} };
const sse = { ...http, type: 'sse' };

test('a minimal entry gets every default', () => {
  assert.deepEqual(parseSettings([user({ node: { command: 'node' } })]), {
    configurations: [configurationOf('node')],
    invalid: [],
    problems: [],
  });
});

test('a full entry is taken over member by member', () => {
  const entry = {
    command: 'node',
    args: ['a b', '--port', 80, true],
    cwd: '${workspaceFolder}',
    env: { TEXT: 'x', NUMBER: 1, FLAG: false, GONE: null },
    envFile: '.env',
    enabled: false,
    start: 'onUse',
    prefix: 'gh',
    allow: ['get_*'],
    deny: ['get_secret'],
    confirm: { 'get_*': 'never', '*': 'writes' },
    expose: 'search',
    timeouts: { connect: 5, call: 900 },
  };
  const { start, prefix, allow, deny, cwd, envFile } = entry;
  assert.deepEqual(parseSettings([user({ full: entry })]).configurations, [
    configurationOf('full', {
      ...{ start: start as 'onUse', prefix, allow, deny, enabled: false, expose: 'search' },
      launch: {
        ...{ type: 'stdio', command: 'node', cwd, envFile },
        args: ['a b', '--port', '80', 'true'],
        env: { TEXT: 'x', NUMBER: '1', FLAG: 'false', GONE: null },
      },
      confirm: [
        ['get_*', 'never'],
        ['*', 'writes'],
      ],
      timeouts: { connect: 5, call: 900, total: 900 },
    }),
  ]);
});

const spellings: readonly (readonly [entry: unknown, launch: unknown])[] = [
  [{ url: 'https://a.test/' }, http],
  [{ type: 'http', url: 'https://a.test/' }, http],
  [{ type: 'streamable-http', url: 'https://a.test/' }, http],
  [{ type: 'streamableHttp', url: 'https://a.test/' }, http],
  [{ type: 'streamable_http', url: 'https://a.test/' }, http],
  [{ type: 'HTTP', url: 'https://a.test/' }, http],
  [{ type: ' Streamable-HTTP ', url: 'https://a.test/' }, http],
  [{ transport: 'http', url: 'https://a.test/' }, http],
  [{ transportType: 'sse', url: 'https://a.test/' }, sse],
  [{ type: 'sse', url: 'https://a.test/' }, sse],
  [{ httpUrl: 'https://a.test/' }, http],
  [{ url: 'https://a.test/', httpUrl: 'https://b.test/' }, http],
  [{ url: 'https://a.test/', autoApprove: [], timeout: 60, gallery: true }, http],
  [{ type: 'http', command: 'node', url: 'https://a.test/' }, http],
  [
    { transportType: 'stdio', command: 'node' },
    { type: 'stdio', command: 'node', ...noEnv },
  ],
  [
    { type: 'stdio', command: 'node', url: 'https://a.test/' },
    { type: 'stdio', command: 'node', ...noEnv },
  ],
];

test("other clients' spellings mean the same", () => {
  assert.deepEqual(
    spellings.map(([entry]) => launchOf(entry)),
    spellings.map(([, launch]) => launch),
  );
});

test('"disabled": true switches off unless "enabled" says otherwise', () => {
  const { configurations } = parseSettings([
    user({
      off: { command: 'a', disabled: true },
      on: { command: 'a', disabled: false },
      both: { command: 'a', disabled: true, enabled: true },
    }),
  ]);
  assert.deepEqual(
    configurations.map(({ key, enabled }) => [key, enabled]),
    [
      ['off', false],
      ['on', true],
      ['both', true],
    ],
  );
});

const broken: readonly (readonly [entry: unknown, where: readonly string[]])[] = [
  [null, ['it']],
  ['node', ['it']],
  [[], ['it']],
  [{}, ['it']],
  [{ command: '' }, ['it.command']],
  [{ command: '  ' }, ['it.command']],
  [{ command: 5 }, ['it.command']],
  [{ command: 'a', args: { a: 1 } }, ['it.args']],
  [{ command: 'a', args: 'open "quote' }, ['it.args']],
  [{ command: 'a', env: ['A=1'] }, ['it.env']],
  [{ command: 'a', env: { A: {} } }, ['it.env.A']],
  [{ command: 'a', url: 'https://a.test' }, ['it']],
  [{ type: 'stdio', url: 'https://a.test' }, ['it.command']],
  [{ type: 'sse', command: 'a' }, ['it.url']],
  [{ type: 'websocket', url: 'wss://a.test' }, ['it.type']],
  [{ serverUrl: 'https://a.test/' }, ['it.serverUrl']],
  [{ command: 'a', start: 'later' }, ['it.start']],
  [{ command: 'a', confirm: { '*': 'sometimes' } }, ['it.confirm']],
  [{ command: 'a', allow: 'get_*' }, ['it.allow']],
  [{ command: 'a', timeouts: { call: 0 } }, ['it.timeouts.call']],
];

test('what is wrong with an entry is told with its place', () => {
  assert.deepEqual(
    broken.map(([entry]) => launchOf(entry)),
    broken.map(([, where]) => where),
  );
});

test('a bad entry costs itself only, and keys like constructor are names like any other', () => {
  const { configurations, invalid } = parseSettings([
    user(JSON.parse('{"bad":1,"constructor":{"command":"a"},"__proto__":{"command":"b"}}')),
  ]);
  assert.deepEqual(
    { good: configurations.map(({ key }) => key), bad: invalid.map(({ key }) => key) },
    { good: ['constructor', '__proto__'], bad: ['bad'] },
  );
});

/** All that is said of one entry. */
function saidOf(key: string, entry: unknown): string[] {
  const { invalid, problems } = parseSettings([user({ [key]: entry })]);
  return [...invalid.flatMap((one) => one.problems), ...problems].map(({ message }) => message);
}

test('an unknown type is named, with those that are known', () => {
  assert.deepEqual(saidOf('w', { type: 'websocket', url: 'wss://a.test' }), [
    '"w.type": there is no transport "websocket"; write "stdio", "http" or "sse".',
  ]);
});

test('where "type" decides between a program and an address, the other is reported', () => {
  const both = { command: 'node', url: 'https://a.test/' };
  assert.match(saidOf('s', { ...both, type: 'http' }).join(), /^"command" of "s" is ignored/);
  assert.match(saidOf('s', { ...both, type: 'stdio' }).join(), /^"url" of "s" is ignored/);
  assert.deepEqual(saidOf('s', { type: 'stdio', command: 'node' }), []);
});

test('a pasted list of servers is told from a server without a launch', () => {
  for (const key of ['mcpServers', 'servers']) {
    assert.match(saidOf(key, { x: { command: 'node' } }).join(), /one level up/);
    assert.match(saidOf(key, { env: { A: '1' } }).join(), /needs "command"/);
    assert.deepEqual(saidOf(key, { command: 'node' }), []);
  }
  assert.match(saidOf('other', { x: { command: 'node' } }).join(), /needs "command"/);
});

test('a setting that is no object is one problem and nothing else', () => {
  for (const value of ['text', 5, [1], true]) {
    const parsed = parseSettings([user(value)]);
    assert.deepEqual(
      { ...parsed, problems: parsed.problems.length },
      { configurations: [], invalid: [], problems: 1 },
    );
  }
  assert.deepEqual(parseSettings([user(undefined), workspace(null)]).problems, []);
});

test('a whole command line in "command" is split and reported', () => {
  const { configurations, problems } = parseSettings([
    user({
      line: { command: 'npx -y some-mcp "/data dir"' },
      text: { command: 'npx', args: "-y 'some mcp'" },
      path: { command: '/opt/My App/server' },
      windows: { command: 'C:\\Program Files\\node.exe' },
      list: { command: 'my program', args: ['x'] },
    }),
  ]);
  assert.deepEqual(
    {
      programs: configurations.map(({ launch }) =>
        launch.type === 'stdio' ? [launch.command, ...launch.args] : [],
      ),
      reported: problems.map(({ where }) => where),
    },
    {
      programs: [
        ['npx', '-y', 'some-mcp', '/data dir'],
        ['npx', '-y', 'some mcp'],
        ['/opt/My App/server'],
        ['C:\\Program Files\\node.exe'],
        ['my program', 'x'],
      ],
      reported: ['line.command'],
    },
  );
});

test('servers of different settings files have different ids', () => {
  const entry = { x: { command: 'a' }, 'b/c': { command: 'a' }, c: { command: 'a' } };
  const { configurations } = parseSettings([
    ...[user(entry), workspace(entry), folder('a', entry), folder('a/b', entry)],
  ]);
  assert.equal(new Set(configurations.map(({ id }) => id)).size, 12);
});

test('a workspace may not decide that its own servers are called unasked', () => {
  const entry = { x: { command: 'a', confirm: 'never' } };
  for (const layer of [workspace(entry), folder('f', entry)]) {
    const { configurations, problems } = parseSettings([layer]);
    assert.deepEqual(
      [configurations.map(({ confirm }) => confirm), problems.map(({ where }) => where)],
      [['always'], ['x.confirm']],
    );
  }
  assert.equal(parseSettings([user(entry)]).configurations[0]?.confirm, 'never');
});

test('a narrower entry without a launch is laid over the server of the same name', () => {
  const parsed = parseSettings([
    user({ x: { command: 'a', deny: ['a'] } }),
    workspace({ x: { deny: ['b'], allow: ['get_*'] } }),
    folder('f', { x: { enabled: false } }),
  ]);
  assert.deepEqual(parsed, {
    configurations: [
      configurationOf('x', {
        launch: { type: 'stdio', command: 'a', ...noEnv },
        ...{ deny: ['a', 'b'], narrowed: [['get_*']], enabled: false },
      }),
    ],
    invalid: [],
    problems: [],
  });
});

test('one folder of a workspace says nothing about the servers of another', () => {
  const { configurations, invalid } = parseSettings([
    folder('one', { x: { command: 'a' } }),
    folder('two', { x: { enabled: false } }),
  ]);
  assert.deepEqual(
    [configurations.map(({ enabled }) => enabled), invalid.map(({ id }) => id.includes('two'))],
    [[true], [true]],
  );
});

test('an entry without a launch and without a server below it is invalid', () => {
  const { configurations, invalid } = parseSettings([workspace({ x: { deny: ['*'] } })]);
  assert.deepEqual([configurations, invalid.map(({ key }) => key)], [[], ['x']]);
});

test('servers above the limit are reported, and a tightening still counts then', () => {
  const many = Object.fromEntries(
    Array.from({ length: maxServers + 2 }, (_value, index) => [`s${index}`, { command: 'a' }]),
  );
  const { configurations, problems } = parseSettings([
    user(many),
    workspace({ s0: { enabled: false } }),
  ]);
  assert.deepEqual(
    [configurations.length, problems.length, configurations[0]?.enabled],
    [maxServers, 2, false],
  );
});
