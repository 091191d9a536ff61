import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentHostBuiltins, metaToolNames } from '../../../src/core/tools/reservedNames.ts';
import {
  assignToolNames,
  distinctPrefixes,
  maxNameLength,
  type NamedServer,
} from '../../../src/core/tools/toolName.ts';
import { Random } from '../../support/random.ts';

const server = (
  key: string,
  tools: readonly string[],
  members: Partial<NamedServer> = {},
): NamedServer => ({ id: `user/${key}`, key, scope: 'user', tools, ...members });

/** `id tool → name`, one a line, so that results can be compared. */
function named(servers: readonly NamedServer[]): Map<string, string> {
  return new Map(
    [...assignToolNames(servers)].flatMap(([id, tools]) =>
      [...tools].map(([tool, name]) => [`${id} ${tool}`, name] as const),
    ),
  );
}

const hashed = /^(.*)_[0-9a-f]{8}$/;

test('a name is prefix, two underscores and tool, in allowed characters', () => {
  assert.deepEqual(
    named([
      server('github', ['get_issue', 'calendar.list', 'drive/files.get', 'mail:send', 'größe']),
      server('my server', ['a']),
      server('x', ['a'], { prefix: 'gh' }),
      server('y', ['alone'], { prefix: '' }),
      server('a__b_', ['_c']),
    ]),
    new Map([
      ['user/github get_issue', 'github__get_issue'],
      ['user/github calendar.list', 'github__calendar_list'],
      ['user/github drive/files.get', 'github__drive_files_get'],
      ['user/github mail:send', 'github__mail_send'],
      ['user/github größe', 'github__gr__e'],
      ['user/my server a', 'my_server__a'],
      ['user/x a', 'gh__a'],
      ['user/y alone', 'alone'],
      ['user/a__b_ _c', 'a_b___c'],
    ]),
  );
});

test('T37 every party of a collision gets a hash, and nobody else', () => {
  const names = named([server('files', ['read-file', 'read_file', 'read.file', 'read file'])]);
  assert.deepEqual(
    [...names.values()].map((name) => hashed.exec(name)?.[1] ?? name),
    ['files__read-file', 'files__read_file', 'files__read_file', 'files__read_file'],
  );
  assert.equal(new Set(names.values()).size, 4);
});

test('T38 a name that is too long is cut and ends in a hash; one that just fits is left alone', () => {
  const fits = 'x'.repeat(maxNameLength - 's__'.length);
  const names = named([
    server('s', [fits, `${fits}y`, `${fits}z`]),
    server('k'.repeat(200), ['a', 'b']),
  ]);
  const [first, ...others] = [...names.values()];
  assert.equal(first, `s__${fits}`);
  assert.deepEqual(
    others.map((name) => [name.length, hashed.test(name)]),
    others.map(() => [maxNameLength, true]),
  );
  assert.equal(new Set(names.values()).size, 5);
});

test('names do not change with the order of servers or of their tools', () => {
  const servers = [
    server('a', ['x.y', 'x_y', 'z']),
    server('a_', ['z']),
    server('b', ['z', 'q'], { prefix: '' }),
    server('c', ['z', 'q__r'], { prefix: '' }),
  ];
  const reversed = servers.toReversed().map((one) => ({ ...one, tools: one.tools.toReversed() }));
  assert.deepEqual(named(reversed), named(servers));
});

test('the names of a server with a prefix do not change when other servers run or not', () => {
  const rivals = [
    server('a', ['b__c', 'x']),
    server('a__b', ['c']),
    server('a_b', ['c', '_c']),
    server('A', ['x']),
    server('copilot', ['x']),
    server('bridge_copilot', ['x']),
    server('日本', ['x', 'y']),
    server('中国', ['x']),
    server('none', ['a__x', 'a__b__c', 'bridge_copilot__x'], { prefix: '' }),
  ];
  for (const one of rivals.filter(({ prefix }) => prefix !== '')) {
    const alone = rivals.map((other) => (other === one ? one : { ...other, tools: [] }));
    const names = named(rivals);
    for (const [key, name] of named(alone)) assert.equal(names.get(key), name, key);
  }
});

test('beginnings the editor keeps to itself are never used', () => {
  const names = [
    ...named([
      ...['copilot', 'vscode', 'Copilot', 'vscode_x', 'copilot_'].map((key) => server(key, ['a'])),
      server('none', ['copilot_do', 'vscode_do', 'VSCode_do'], { prefix: '' }),
    ]).values(),
  ];
  assert.deepEqual(
    names.filter((name) => /^(copilot|vscode)_/i.test(name)),
    [],
  );
  assert.equal(new Set(names).size, 8);
});

test('built-in tools of the agent host and our own tools are never shadowed', () => {
  const reserved = [...agentHostBuiltins, ...metaToolNames];
  const names = [...named([server('none', reserved, { prefix: '' })]).values()];
  assert.ok(reserved.length > 10);
  assert.deepEqual(
    names.filter((name) => reserved.includes(name)),
    [],
  );
  assert.deepEqual(
    names.map((name) => hashed.exec(name)?.[1]),
    reserved,
  );
});

test('tools named like members of every object are tools like any other', () => {
  assert.deepEqual(
    named([server('s', ['constructor', '__proto__', 'toString', 'hasOwnProperty'])]),
    new Map([
      ['user/s constructor', 's__constructor'],
      ['user/s __proto__', 's____proto__'],
      ['user/s toString', 's__toString'],
      ['user/s hasOwnProperty', 's__hasOwnProperty'],
    ]),
  );
});

test('a server of the user keeps its prefix when a workspace uses it too', () => {
  const prefixes = distinctPrefixes([
    server('github', []),
    server('github', [], { id: 'workspace/github', scope: 'workspace' }),
    server('other', [], { id: 'folder:x/other', scope: 'folder', prefix: 'github' }),
  ]);
  const [own, ...others] = [...prefixes.values()];
  assert.equal(own, 'github');
  assert.deepEqual(
    others.map((prefix) => /^github_[0-9a-f]{6}$/.test(prefix)),
    [true, true],
  );
});

test('of two servers with one prefix in the same scope neither keeps it', () => {
  const prefixes = [...distinctPrefixes([server('a.b', []), server('a_b', [])]).values()];
  assert.deepEqual(
    prefixes.map((prefix) => /^a_b_[0-9a-f]{6}$/.test(prefix)),
    [true, true],
  );
  assert.equal(new Set(prefixes).size, 2);
});

test('a prefix never holds two underscores in a row nor ends in one', () => {
  const long = `${'a'.repeat(23)}_tail`;
  const prefixes = [
    ...distinctPrefixes([
      ...['_', '__a__', 'a b', '...', '日本', long, `${long}_`].map((key) => server(key, [])),
    ]).values(),
  ];
  assert.deepEqual(
    prefixes.filter((prefix) => /__|_$|^$/.test(prefix)),
    [],
  );
});

/** Words that meet each other in many ways. */
const parts = ['a', 'b', '_', '__', '.', 'é', 'copilot', 'x'.repeat(30)] as const;

function randomServers(random: Random): NamedServer[] {
  const word = (): string =>
    Array.from({ length: 1 + random.below(3) }, () => random.pick(parts)).join('');
  return Array.from({ length: 1 + random.below(5) }, (_value, index) => ({
    id: `${index}/${word()}`,
    key: word(),
    scope: random.pick(['user', 'workspace', 'folder'] as const),
    ...(random.below(3) === 0 && { prefix: random.pick(['', word()]) }),
    tools: [...new Set(Array.from({ length: random.below(6) }, word))],
    rename: new Map(Array.from({ length: random.below(3) }, () => [word(), word()])),
  }));
}

test('any set of servers gets valid, unique names that do not depend on order', () => {
  const random = new Random(20_261_130);
  let tools = 0;
  for (let round = 0; round < 3000; round++) {
    const servers = randomServers(random);
    const names = named(servers);
    const values = [...names.values()];
    tools += values.length;
    const context = JSON.stringify(servers);
    assert.equal(values.length, servers.flatMap((one) => one.tools).length, context);
    assert.equal(new Set(values).size, values.length, context);
    assert.ok(
      values.every(
        (name) => /^[A-Za-z0-9_-]{1,64}$/.test(name) && !/^(copilot|vscode)_/i.test(name),
      ),
      context,
    );
    const shuffled = named(random.shuffled(servers));
    assert.ok(
      [...names].every(([key, name]) => shuffled.get(key) === name),
      context,
    );
    assertIndependent(servers, names, context);
  }
  assert.ok(tools > 10_000);
});

/** Stops every other server and looks whether the names of those with a prefix stay. */
function assertIndependent(
  servers: readonly NamedServer[],
  names: ReadonlyMap<string, string>,
  context: string,
): void {
  const some = servers.map((one, index) => (index % 2 === 0 ? one : { ...one, tools: [] }));
  const prefixes = distinctPrefixes(servers);
  for (const [key, name] of named(some)) {
    const id = some.find((one) => key.startsWith(`${one.id} `))?.id ?? '';
    if (prefixes.get(id) !== '') assert.equal(names.get(key), name, context);
  }
}
