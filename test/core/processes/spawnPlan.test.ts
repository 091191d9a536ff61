import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchLine } from '../../../src/core/processes/batchLine.ts';
import { spawnFailure } from '../../../src/core/processes/spawnFailure.ts';
import { planSpawn, type SpawnPlan } from '../../../src/core/processes/spawnPlan.ts';
import { Random } from '../../support/random.ts';
import { argumentsOf, commandLineOf, runBatch } from '../../support/windowsCommandLine.ts';

const hostile = [
  ...['"', '\\', '%', '^', '&', '|', '<', '>', '!', '(', ')', ' ', '\t', '%PATH%', '%OS%', '%*'],
  ...['a', 'B', '1', '-', '/', '=', ',', ';', "'", '`', '*', '?', '@', '~', ':', '%cd:~,%', 'é'],
];

function plan(command: string, args: readonly string[]): Promise<SpawnPlan | undefined> {
  return planSpawn({
    ...{ platform: 'win32', command, args, cwd: 'C:\\work', path: 'C:\\a b', pathext: '.EXE;.CMD' },
    commandProcessor: 'C:\\Windows\\System32\\cmd.exe',
    kindOf: async (path) => (path.startsWith('C:\\a b\\tool.') ? 'program' : 'missing'),
  });
}

function randomArguments(random: Random): string[] {
  return Array.from({ length: random.below(4) }, () =>
    Array.from({ length: random.below(9) }, () => hostile[random.below(hostile.length)]).join(''),
  );
}

test('T11 a batch file and what it starts get any arguments unchanged, and nothing else is run', async () => {
  const random = new Random(11);
  for (let round = 0; round < 3000; round++) {
    const args = randomArguments(random);
    const { file, args: words, windowsVerbatimArguments } = (await plan('tool.cmd', args)) ?? {};
    assert.ok(file !== undefined && words !== undefined && windowsVerbatimArguments === true);
    for (const levels of [1, 2, 3]) {
      assert.deepEqual(
        runBatch(commandLineOf(file, words, true), levels),
        { program: 'C:\\a b\\tool.cmd', args, extra: [] },
        JSON.stringify(args),
      );
    }
  }
});

test('T11 a program gets any arguments unchanged, whoever takes its command line apart', async () => {
  const random = new Random(12);
  for (let round = 0; round < 1000; round++) {
    const args = randomArguments(random);
    const { file, args: words } = (await plan('tool', args)) ?? {};
    assert.ok(file === 'C:\\a b\\tool.exe' && words !== undefined);
    for (const parser of ['crt', 'shell32'] as const) {
      assert.deepEqual(argumentsOf(commandLineOf(file, words, false), parser), args);
    }
  }
});

test('the model of Windows shows what goes wrong without care', () => {
  const run = (line: string) => runBatch(`cmd.exe /d /v:off /s /c "C:\\t.cmd ${line}"`);
  assert.deepEqual(run('a&calc').extra, ['calc']);
  assert.deepEqual(run('"he \\"x&calc\\""').extra, ['calc\\""']);
  // One caret is gone before the batch file is read.
  assert.deepEqual(run('a^&calc').extra, ['calc']);
  assert.deepEqual(run('a^^^&calc'), { program: 'C:\\t.cmd', args: ['a&calc'], extra: [] });
  assert.deepEqual(run('"%PATH%"').args, ['C:\\Windows']);
  assert.deepEqual(run('%OS%').extra, [' calc']);
  assert.deepEqual(run('"C:\\dir\\" x').args, ['C:\\dir" x']);
  assert.deepEqual(run('"a" > out').extra, [' out']);
  assert.deepEqual(run('"a\nb"').args, ['a']);
});

test('plain words stay without quotes: batch files compare them', () => {
  assert.equal(
    batchLine('C:\\t.cmd', ['-y', '--a=b', 'C:\\x\\y.z', 'C:\\x\\', '', 'ä']),
    '"C:\\t.cmd" -y "--a=b" C:\\x\\y.z "C:\\x\\\\" "" "ä"',
  );
});

test('what cmd.exe cannot take is refused, percent signs counted as what they become', () => {
  assert.throws(() => batchLine('C:\\t.cmd', ['x', 'a\0']), /line break \(argument 2\)/);
  assert.throws(() => batchLine('C:\\t.cmd', ['x'.repeat(8192)]), /longer than the 8191/);
  assert.throws(() => batchLine('C:\\t.cmd', ['%'.repeat(1100)]), /longer than the 8191/);
  assert.doesNotThrow(() => batchLine('C:\\t.cmd', ['x'.repeat(8000), '%']));
});

test('a program that cannot be run is planned, so that the system says why', async () => {
  const kinds = new Map([
    ['/a/x', 'unusable'],
    ['/c/x', 'program'],
    ['/a/y', 'unusable'],
  ] as const);
  const on = (command: string) =>
    planSpawn({
      ...{ platform: 'linux', command, args: [], cwd: '/', path: '/a:/b:/c/', pathext: undefined },
      commandProcessor: '',
      kindOf: async (path) => kinds.get(path as '/a/x') ?? 'missing',
    });
  assert.deepEqual(
    [(await on('x'))?.file, (await on('y'))?.file, await on('z'), await on('')],
    ['/c/x', '/a/y', undefined, undefined],
  );
});

test('errors of the system become sentences; a lack of room is one that passes', () => {
  const seen = (code: string) => {
    const error = spawnFailure('srv', { code, message: `spawn ${code}` });
    assert.match(error.message, /^The command "srv" could not be run: .+\.$/);
    assert.ok(error.message.includes(code));
    return error.code;
  };
  assert.deepEqual(
    ['EACCES', 'EPERM', 'ENOENT', 'ENOEXEC', 'E2BIG', 'ENAMETOOLONG', 'ELOOP'].map(seen),
    Array.from({ length: 7 }, () => 'spawnFailed'),
  );
  assert.deepEqual(
    ['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ETXTBSY'].map(seen),
    Array.from({ length: 5 }, () => 'noResources'),
  );
});
