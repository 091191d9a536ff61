import { errorMessage } from '../../../src/base/errors.ts';
import type { JsonValue } from '../../../src/base/json.ts';
import { absoluteOnWindows } from '../../../src/core/processes/programSearch.ts';
import { planSpawn, type SpawnPlan } from '../../../src/core/processes/spawnPlan.ts';
import { commandLineOf, argumentsOf, runBatch } from '../../support/windowsCommandLine.ts';
import { FixtureError, asText, expand, textsOf, type Fixture } from '../fixture.ts';
import { assertKnown, isMatch, runChecks, type Checks, type Report } from '../report.ts';

const inputs = ['platform', 'files', 'path', 'pathext', 'command', 'args', 'cwd'];

interface Seen {
  readonly command: string;
  /** The program that was found, if one was. */
  readonly program: string | undefined;
  /** What the program gets as its arguments, its own name left out. */
  readonly argv: readonly string[] | undefined;
  readonly usesShell: boolean;
  readonly extraCommands: readonly string[];
  /** Why nothing is started, if nothing is. */
  readonly error: string;
  /** A path in the form in which paths are compared. */
  readonly normal: (path: string) => string;
}

/** Plans a start as on another machine, and finds out with a model of Windows what the program would see. */
export async function runSpawnPlan({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, inputs);
  const isWindows = asText(input['platform']).startsWith('win');
  const platform = isWindows ? 'win32' : asText(input['platform'] ?? 'linux');
  const cwd = asText(input['cwd'] ?? (isWindows ? 'C:\\work' : '/work'));
  const normal = (path: string): string =>
    isWindows
      ? absoluteOnWindows(path.replaceAll('/', '\\'), cwd).toLowerCase()
      : path.startsWith('/')
        ? path
        : `${cwd}/${path.replace(/^\.\//, '')}`;
  // A case that names no files is about the arguments alone.
  const files =
    input['files'] === undefined
      ? undefined
      : new Set(textsOf(input['files'], 'files').map(normal));
  const exists = (path: string): boolean =>
    files?.has(normal(path)) ?? (!isWindows || path.endsWith('.exe'));
  const list = (name: string, separator: string): string | undefined => {
    const value = input[name];
    return value === undefined || value === null ? undefined : textsOf(value, name).join(separator);
  };
  const command = asText(input['command']);
  const seen: Seen = { command, normal, ...nothing };
  let plan: SpawnPlan | undefined;
  let error = 'not found';
  try {
    plan = await planSpawn({
      ...{ platform, command, cwd },
      args: textsOf(expand(input['args'] ?? []), 'args'),
      path: list('path', isWindows ? ';' : ':') ?? (isWindows ? 'C:\\bin' : '/usr/bin'),
      pathext: list('pathext', ';'),
      commandProcessor: 'C:\\Windows\\System32\\cmd.exe',
      kindOf: async (path) => (exists(path) ? 'program' : 'missing'),
    });
  } catch (refusal: unknown) {
    error = errorMessage(refusal);
  }
  const outcome = plan === undefined ? { ...seen, error } : { ...seen, ...seenBy(plan, isWindows) };
  runChecks(expect, checks, outcome, report);
}

const nothing = {
  program: undefined,
  argv: undefined,
  usesShell: false,
  extraCommands: [],
  error: '',
} as const;

function seenBy(plan: SpawnPlan, isWindows: boolean) {
  const { program, file, args, windowsVerbatimArguments } = plan;
  const usesShell = file !== program;
  if (!isWindows) return { program, argv: args, usesShell };
  const line = commandLineOf(file, args, windowsVerbatimArguments);
  if (!usesShell) return { program, argv: argumentsOf(line), usesShell };
  const run = runBatch(line);
  if (run.program !== program) throw new FixtureError(`cmd.exe runs ${run.program}`);
  return { program, argv: run.args, usesShell, extraCommands: run.extra };
}

const checks: Checks<Seen> = {
  // May begin with the program, as argv does in C.
  childArgv: (expected, { argv, program, command, normal }, report) => {
    const isWhole =
      Array.isArray(expected) &&
      argv !== undefined &&
      program !== undefined &&
      expected.length === argv.length + 1 &&
      [command, program].map(normal).includes(normal(asText(expected[0])));
    report.check(
      isMatch(isWhole ? expected.slice(1) : expected, argv ?? null),
      'childArgv',
      expected,
      argv ?? null,
    );
  },
  resolvesTo: (expected, { program, normal }, report) => {
    const isSame =
      typeof expected === 'string' && program !== undefined
        ? normal(expected) === normal(program)
        : isMatch(expected, program ?? null);
    report.check(isSame, 'resolvesTo', expected, program ?? null);
  },
  usesShell: (expected, { usesShell }, report) => report.isTrue('usesShell', expected, usesShell),
  extraCommandsRun: (expected, { extraCommands }, report) => {
    const seen: JsonValue =
      typeof expected === 'number'
        ? extraCommands.length
        : typeof expected === 'boolean'
          ? extraCommands.length > 0
          : [...extraCommands];
    report.equal('extraCommandsRun', expected, seen);
  },
  errorMentions: (expected, { error }, report) => report.mentions('errorMentions', expected, error),
};
