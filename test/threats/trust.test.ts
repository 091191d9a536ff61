import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { parseSettings } from '../../src/core/settings/parseSettings.ts';
import { settingsVariables } from '../../src/core/settings/variables.ts';
import { resolveLaunch } from '../../src/core/settings/resolveLaunch.ts';
import { sealOf } from '../../src/core/state/seal.ts';
import type { ServerLaunch, StdioLaunch } from '../../src/core/settings/serverConfiguration.ts';
import {
  launchDifference,
  launchFacts,
  type LaunchFacts,
  type LaunchInspection,
} from '../../src/core/trust/launchFacts.ts';
import { handedOver, launchQuestion, unpinned } from '../../src/core/trust/launchText.ts';
import { workspaceVariableProblems } from '../../src/core/trust/workspaceVariables.ts';
import { assignToolNames } from '../../src/core/tools/toolName.ts';
import { inspectLaunch } from '../../src/mcp/launchInspection.ts';
import { configurationOf } from '../support/builders.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

const key = 'ab'.repeat(32);
const digest = (name: string, value: string): string => sealOf(name, value, key);
const folder = { name: 'w', uri: 'file:///w', path: '/w' };
const origin = { scope: 'workspace', folder } as const;
const program: StdioLaunch = {
  ...{ type: 'stdio', command: 'node', args: ['server.js', '--port', '1'], cwd: '/w' },
  ...{ env: { TOKEN: '${env:TOKEN}', MODE: 'x' }, envFile: '/w/.env' },
};
const remote: ServerLaunch = {
  ...{ type: 'http', url: 'https://example.test/mcp', headers: { 'X-Key': '${secret:k}' } },
  auth: { clientId: 'me' },
};

function factsOf(
  launch: ServerLaunch,
  inspection: LaunchInspection = { program: '/usr/bin/node', envFile: 'a'.repeat(64) },
  place: object = origin,
): LaunchFacts {
  const configuration = configurationOf('x', { launch, origin: { ...origin, ...place } });
  return launchFacts({ configuration, launch, inspection }, digest, (text) => text);
}

const changes: Readonly<Record<string, LaunchFacts>> = {
  command: factsOf({ ...program, command: 'deno' }),
  'the program it leads to': factsOf(program, { program: '/w/node', envFile: 'a'.repeat(64) }),
  'an argument': factsOf({ ...program, args: ['evil.js', '--port', '1'] }),
  'one more argument': factsOf({ ...program, args: [...program.args, '--require=./x'] }),
  cwd: factsOf({ ...program, cwd: '/w/sub' }),
  'a value of env': factsOf({ ...program, env: { ...program.env, MODE: 'y' } }),
  'a name of env': factsOf({ ...program, env: { ...program.env, NODE_OPTIONS: '--require ./x' } }),
  'the default of a variable': factsOf({
    ...program,
    env: { ...program.env, TOKEN: '${env:TOKEN:-evil}' },
  }),
  envFile: factsOf({ ...program, envFile: '/w/other.env' }),
  'the content of envFile': factsOf(program, { program: '/usr/bin/node', envFile: 'b'.repeat(64) }),
  'the folder': factsOf(program, undefined, { folder: { ...folder, uri: 'file:///other' } }),
};
for (const [what, changed] of Object.entries(changes)) {
  test(`T03 a program whose launch differs in ${what} is another one`, () => {
    const approved = factsOf(program);
    assert.notEqual(changed.key, approved.key);
    assert.equal(launchDifference(approved.facts, changed.facts).length > 0, true);
  });
}
const remoteChanges: Readonly<Record<string, ServerLaunch>> = {
  url: { ...remote, url: 'https://evil.test/mcp' },
  'the transport': { ...remote, type: 'sse' },
  'a value of a header': { ...remote, headers: { 'X-Key': '${env:AWS_SECRET_ACCESS_KEY}' } },
  'a name of a header': { ...remote, headers: { ...remote.headers, 'X-More': '1' } },
  'the client of the sign-in': { ...remote, auth: { clientId: 'other' } },
  'a scope of the sign-in': { ...remote, auth: { clientId: 'me', scopes: ['admin'] } },
  'no sign-in': { ...remote, auth: false },
};
for (const [what, launch] of Object.entries(remoteChanges)) {
  test(`T03 a remote server whose launch differs in ${what} is another one`, () => {
    assert.notEqual(factsOf(launch, {}).key, factsOf(remote, {}).key);
  });
}

test('T03 the order of members and a new value of the own environment are no other launch', () => {
  const { env, ...rest } = program;
  const turned: StdioLaunch = {
    env: Object.fromEntries(Object.entries(env).toReversed()),
    ...rest,
  };
  const sorted = (facts: LaunchFacts): unknown =>
    facts.facts.map(({ name, digest: hash }) => `${name} ${hash}`).toSorted();
  assert.deepEqual(sorted(factsOf(turned)), sorted(factsOf(program)));
  assert.equal(factsOf(turned).key, factsOf(program).key);
  // What the person's variable holds now is not looked at, only what the settings say of it.
  const configuration = configurationOf('x', { launch: program, origin });
  const now = (token: string): string =>
    launchFacts(
      {
        configuration,
        launch: { ...program, env: { ...program.env, TOKEN: token } },
        inspection: {},
      },
      digest,
      (text) => text,
    ).key;
  assert.equal(now('old'), now('new'));
});

test('T02 a workspace cannot decide about its own trust: fourteen keys are reported and count for nothing', () => {
  const { configurations, problems } = parseSettings([
    {
      origin: { scope: 'user' },
      value: { mine: { command: 'mine', enabled: false, newTools: 'ask' } },
    },
    {
      origin,
      value: {
        own: {
          ...{ command: 'node', confirm: 'never', trustAnnotations: true, changedTools: 'allow' },
          limits: { tools: 5000, images: 20, resultChars: 500_000 },
        },
        mine: {
          ...{ confirm: 'never', trustAnnotations: true, changedTools: 'allow', newTools: 'allow' },
          ...{ enabled: true, args: ['--evil'], env: { A: 'b' }, prefix: '' },
        },
      },
    },
  ]);
  const [mine, own] = configurations;
  assert.deepEqual(
    [own?.confirm, own?.trustAnnotations, own?.changedTools, own?.limits.tools],
    ['always', false, 'block', 1000],
  );
  assert.deepEqual(
    [mine?.confirm, mine?.trustAnnotations, mine?.enabled, mine?.newTools, mine?.launch],
    [...['always', false, false, 'ask'], { type: 'stdio', command: 'mine', args: [], env: {} }],
  );
  assert.deepEqual(problems.map(({ where }) => where).toSorted(), [
    ...['mine.args', 'mine.changedTools', 'mine.confirm', 'mine.enabled', 'mine.env'],
    ...['mine.newTools', 'mine.prefix', 'mine.trustAnnotations', 'own.changedTools', 'own.confirm'],
    ...['own.limits.images', 'own.limits.resultChars', 'own.limits.tools', 'own.trustAnnotations'],
  ]);
});

const hostile: readonly (readonly [what: string, argument: string, shown: string])[] = [
  ['line breaks', 'a\nb', 'a\\nb'],
  ['500 line breaks', '\n'.repeat(500), '\\n'.repeat(500)],
  ['a turned direction', 'a\u202Eb', 'a\\u{202E}b'],
  ['a zero width space', 'a\u200Bb', 'a\\u{200B}b'],
  ['a tab', 'a\tb', 'a\\tb'],
  ['a terminal sequence', '\u001B[2K', '\\u001b[2K'],
  ['tag characters', '\u{E0041}', '\\u{E0041}'],
  ['a wide space', 'a\u3000b', 'a\\u{3000}b'],
  ['a no-break space', 'a\u00A0b', 'a\\u{A0}b'],
  ['20 KB', 'x'.repeat(20_000), 'x'.repeat(20_000)],
  ['quotes', '"; rm -rf /; "', '\\"; rm -rf /; \\"'],
];
for (const [what, argument, shown] of hostile) {
  test(`T05 the question shows every character of an argument with ${what}`, () => {
    const facts = factsOf({ ...program, args: [argument] });
    const question = launchQuestion(configurationOf('x', { launch: program }), facts, undefined);
    assert.ok(question.text.split('\n').includes(`args[0]: ${shown}`));
    assert.equal(question.isLong, argument.length > 1000 || shown.length > 2900);
    assert.ok(!question.text.includes('…'));
  });
}

test('T05 a question after a change begins with the difference', () => {
  const before = factsOf(program);
  const now = factsOf({ ...program, args: ['evil.js', '--port', '1'] });
  const question = launchQuestion(configurationOf('x', { launch: program }), now, before.facts);
  assert.match(question.title, /has changed/);
  assert.match(
    question.text.split('\n').slice(0, 2).join('\n'),
    /different.*\nargs\[0\]: server\.js → evil\.js/,
  );
});

test('T06 a workspace cannot put values of the environment into an address', () => {
  const problemsOf = (url: string, scope: 'workspace' | 'user'): number =>
    workspaceVariableProblems(
      configurationOf('x', { origin: { scope }, launch: { ...remote, type: 'http', url } }),
    ).length;
  for (const variable of [
    '${env:AWS_SECRET_ACCESS_KEY}',
    '${AWS_SECRET_ACCESS_KEY}',
    '${secret:k}',
    '${env:A:-b}',
  ]) {
    assert.equal(problemsOf(`https://evil.test/?k=${variable}`, 'workspace'), 1, variable);
    assert.equal(problemsOf(`https://mine.test/?k=${variable}`, 'user'), 0, variable);
  }
  assert.equal(problemsOf('https://x.test/${workspaceFolderBasename}', 'workspace'), 0);
});

test('T06 what a variable stands for is not expanded again, and what is handed over is named', () => {
  const lookup = settingsVariables({
    ...{ folders: [], folder: undefined, environment: { HOME: '/home/me' }, userHome: '/home/me' },
    given: () => '${env:HOME}',
  });
  const launch: StdioLaunch = { ...program, envFile: '/w/.env', env: { A: '${input:a}' } };
  const resolved = resolveLaunch({ key: 'x', launch }, lookup);
  assert.ok('launch' in resolved && resolved.launch.type === 'stdio');
  assert.equal(resolved.launch.env['A'], '${env:HOME}');
  assert.deepEqual(handedOver(remote), ['${secret:k}']);
  const question = launchQuestion(
    configurationOf('x', { launch: remote }),
    factsOf(remote, {}),
    undefined,
  );
  assert.match(question.text, /It gets values of yours: \$\{secret:k\}\./);
});

test('T08 a server of the workspace does not take the names of one of the user', () => {
  const twin = (id: string, scope: 'user' | 'workspace') => ({
    ...{ id, key: 'db', scope, prefix: undefined, rename: new Map<string, string>() },
    tools: ['query'],
  });
  const names = assignToolNames([twin('user/db', 'user'), twin('workspace/db', 'workspace')]);
  assert.equal(names.get('user/db')?.get('query'), 'db__query');
  assert.notEqual(names.get('workspace/db')?.get('query'), 'db__query');
});

let workspace: string;
const log = new RecordingLogger();
before(async () => {
  workspace = await realpath(await mkdtemp(join(tmpdir(), 'mcp-bridge-trust-')));
  await mkdir(join(workspace, 'w', 'bin'), { recursive: true });
  await writeFile(join(workspace, 'secret.env'), 'A=outside\n');
  await writeFile(join(workspace, 'w', 'good.env'), 'A=inside\n');
  await writeFile(join(workspace, 'w', 'big.env'), 'x'.repeat(70_000));
  await symlink(join(workspace, 'secret.env'), join(workspace, 'w', 'link.env'));
  await writeFile(join(workspace, 'w', 'npx'), '#!/bin/sh\n', { mode: 0o755 });
});
after(() => rm(workspace, { recursive: true, force: true }));

const envFiles: readonly (readonly [file: string, expected: RegExp | undefined])[] = [
  ['w/good.env', undefined],
  ['secret.env', /outside the workspace/],
  ['w/../secret.env', /outside the workspace/],
  ['w/link.env', /outside the workspace/],
  ['w/big.env', /no file of at most 65536 bytes/],
  ['w/bin', /no file of at most/],
  ['w/missing.env', /cannot be read/],
];
for (const [file, expected] of envFiles) {
  test(`T07 an envFile ${file} ${expected === undefined ? 'may' : 'may not'} be read`, async () => {
    const launch = { ...program, command: process.execPath, envFile: join(workspace, file) };
    const found = await inspectLaunch(launch, [join(workspace, 'w')], log);
    if (expected === undefined) {
      assert.ok(typeof found !== 'string');
      assert.match(found.envFile ?? '', /^[0-9a-f]{64}$/);
    } else assert.match(typeof found === 'string' ? found : '', expected);
    assert.ok(!JSON.stringify(found).includes('A=outside'));
  });
}

test('T12 a program of the workspace is not taken for one of the same name in PATH', async () => {
  const { envFile: _file, ...rest } = program;
  const path = ['.', 'bin', '', process.env['PATH']].join(delimiter);
  const launch = { ...rest, command: 'npx', cwd: join(workspace, 'w'), env: { PATH: path } };
  const found = await inspectLaunch(launch, [join(workspace, 'w')], log);
  assert.ok(typeof found !== 'string');
  assert.ok(found.program === undefined || !found.program.startsWith(workspace), found.program);
  const own = await inspectLaunch({ ...launch, command: './npx' }, [join(workspace, 'w')], log);
  assert.deepEqual(own, { program: join(workspace, 'w', 'npx') });
});

const packages: readonly (readonly [
  command: string,
  args: readonly string[],
  isWarned: boolean,
])[] = [
  ['npx', ['-y', 'pkg'], true],
  ['npx', ['-y', '@scope/pkg'], true],
  ['npx', ['-y', '@scope/pkg@latest'], true],
  ['npx', ['-y', 'pkg@1.2.3'], false],
  ['npx', ['-y', '@scope/pkg@1.2.3', '--flag'], false],
  ['C:\\node\\npx.cmd', ['pkg'], true],
  ['uvx', ['tool'], true],
  ['uvx', ['tool==1.0'], false],
  ['uvx', ['tool@1.0'], false],
  ['docker', ['run', '-i', '--rm', 'ghcr.io/x/y:latest'], true],
  ['docker', ['run', '-i', '--rm', 'ghcr.io/x/y:1.2'], false],
  ['docker', ['run', '-i', '--rm', `ghcr.io/x/y@sha256:${'a'.repeat(64)}`], false],
  ['node', ['server.js'], false],
];
for (const [command, args, isWarned] of packages) {
  test(`T15 ${command} ${args.join(' ').slice(0, 50)} ${isWarned ? 'is' : 'is not'} warned of`, () => {
    assert.equal(unpinned({ ...program, command, args }).length, isWarned ? 1 : 0);
  });
}
