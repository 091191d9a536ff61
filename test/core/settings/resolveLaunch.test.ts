import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveLaunch } from '../../../src/core/settings/resolveLaunch.ts';
import type { ServerLaunch } from '../../../src/core/settings/serverConfiguration.ts';
import type { VariableLookup } from '../../../src/core/settings/variables.ts';

const values = new Map([
  ['workspaceFolder', '/w/app'],
  ['userHome', '/home/u'],
  ['env:TOKEN', 'tk'],
]);
const lookup: VariableLookup = (name, argument) =>
  values.get(argument === undefined ? name : `${name}:${argument}`);
const withoutFolder: VariableLookup = (name, argument) =>
  name === 'workspaceFolder' ? undefined : lookup(name, argument);

function resolve(launch: ServerLaunch, variables: VariableLookup = lookup): unknown {
  const resolved = resolveLaunch({ key: 'it', launch }, variables);
  return 'launch' in resolved ? resolved.launch : resolved.problems.map(({ where }) => where);
}

const stdio = { type: 'stdio', command: 'node', args: [], env: {} } as const;

const directories: readonly (readonly [ServerLaunch, VariableLookup, ServerLaunch])[] = [
  [stdio, lookup, { ...stdio, cwd: '/w/app' }],
  [stdio, withoutFolder, { ...stdio, cwd: '/home/u' }],
  [stdio, () => undefined, stdio],
  [{ ...stdio, cwd: 'tools' }, lookup, { ...stdio, cwd: '/w/app/tools' }],
  [{ ...stdio, cwd: '/opt' }, lookup, { ...stdio, cwd: '/opt' }],
  [{ ...stdio, cwd: 'C:\\opt' }, lookup, { ...stdio, cwd: 'C:\\opt' }],
  [{ ...stdio, cwd: '${userHome}/x' }, lookup, { ...stdio, cwd: '/home/u/x' }],
  [{ ...stdio, envFile: '.env' }, lookup, { ...stdio, cwd: '/w/app', envFile: '/w/app/.env' }],
];

test('relative directories start at the workspace folder, without one at home', () => {
  assert.deepEqual(
    directories.map(([launch, variables]) => resolve(launch, variables)),
    directories.map(([, , resolved]) => resolved),
  );
});

test('variables are expanded in every string of a launch', () => {
  assert.deepEqual(
    [
      resolve({
        type: 'stdio',
        command: '${userHome}/bin/node',
        args: ['${workspaceFolder}/s.js', '--token=${env:TOKEN}'],
        env: { T: 'x-${env:TOKEN}', GONE: null },
        cwd: '${workspaceFolder}',
        envFile: '${userHome}/.env',
      }),
      resolve({
        type: 'http',
        url: 'https://${env:TOKEN}.test/mcp',
        headers: { Authorization: 'Bearer ${env:TOKEN}' },
      }),
    ],
    [
      {
        type: 'stdio',
        command: '/home/u/bin/node',
        args: ['/w/app/s.js', '--token=tk'],
        env: { T: 'x-tk', GONE: null },
        cwd: '/w/app',
        envFile: '/home/u/.env',
      },
      { type: 'http', url: 'https://tk.test/mcp', headers: { Authorization: 'Bearer tk' } },
    ],
  );
});

test('every variable without a value is a problem that names its place', () => {
  assert.deepEqual(
    resolve({
      type: 'stdio',
      command: '${env:A}',
      args: ['x', '${env:B} ${input:c}'],
      env: { KEY: '${D}' },
      cwd: '${workspaceFolder:other}',
      envFile: '${env:E}',
    }),
    ['it.command', 'it.args[1]', 'it.args[1]', 'it.env.KEY', 'it.cwd', 'it.envFile'],
  );
});

test('a problem names the variable, says what to do, and quotes no value', () => {
  const resolved = resolveLaunch(
    { key: 'it', launch: { ...stdio, env: { KEY: 'secret-${env:TOKEN}-${env:NOPE}' } } },
    lookup,
  );
  assert.deepEqual(resolved, {
    problems: [
      {
        where: 'it.env.KEY',
        message:
          '${env:NOPE} in "env.KEY" of "it" has no value here, so the server is not started. Set that environment variable and restart the editor, or give a default: ${env:NAME:-default}.',
      },
    ],
  });
});

test('only http and https addresses are taken', () => {
  const addresses = ['https://a.test', 'http://localhost:1/x', 'ftp://a.test', 'a.test', ''];
  assert.deepEqual(
    addresses.map((url) => Array.isArray(resolve({ type: 'sse', url, headers: {} }))),
    [false, false, true, true, true],
  );
});
