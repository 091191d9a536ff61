import { spawn, type ChildProcess } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import { abortOf } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { commandNotFound, directoryMissing } from '../core/failures.ts';
import { isBareName, type FileKind } from '../core/processes/programSearch.ts';
import { spawnFailure } from '../core/processes/spawnFailure.ts';
import { planSpawn, type SpawnPlan } from '../core/processes/spawnPlan.ts';
import type { StdioLaunch } from '../core/settings/serverConfiguration.ts';
import { childEnvironment, variableOf } from './environment.ts';
import { LoginShell } from './loginShell.ts';
import type { MaskedLogger } from './maskedLog.ts';
import { guardGroup, prepareGuard } from './processGuard.ts';

/** A child process whose three streams are pipes. */
export type ServerProcess = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: NonNullable<ChildProcess['stdout']>;
  readonly stderr: NonNullable<ChildProcess['stderr']>;
  readonly pid: number;
};

export interface SpawnOptions {
  /** Told of the secrets that only the start reveals. */
  readonly log: Logger & Partial<MaskedLogger>;
  /** Gives up the start. */
  readonly signal: AbortSignal;
  readonly loginShell?: LoginShell;
}

/** Where programs are looked for in an environment without PATH. */
const defaultPath = '/usr/bin:/bin';
const userShell = new LoginShell();

/**
 * Starts the program of a local server, without a shell and as the leader of a process group of its own, so
 * that its children can be stopped with it. Throws a `BridgeError` that says what is missing. The only
 * place that starts a server.
 */
export async function spawnServer(
  launch: StdioLaunch,
  { log, signal, loginShell = userShell }: SpawnOptions,
): Promise<ServerProcess> {
  const cwd = launch.cwd ?? homedir();
  const [own, isDirectory] = await Promise.all([
    childEnvironment(launch, process.env, process.platform, (values) => log.hide?.(values)),
    directoryExists(cwd),
  ]);
  if (!isDirectory) throw directoryMissing(cwd);
  const planned =
    (await planWith(launch, cwd, own)) ??
    (await planWithShell({ ...launch, cwd }, own, { log, signal, loginShell }));
  signal.throwIfAborted();
  const { plan, env } = planned;
  prepareGuard();
  let child: ChildProcess;
  try {
    child = spawn(plan.file, [...plan.args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: plan.windowsVerbatimArguments,
      // On Windows a detached process would get a console window of its own.
      detached: process.platform !== 'win32',
    });
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException;
    throw spawnFailure(launch.command, { code, message: errorMessage(error) });
  }
  guardGroup(child);
  await spawned(child, launch.command);
  return child as ServerProcess;
}

/** The program that a launch would start; `undefined` if there is none. The login shell is asked as for a start. */
export async function locateProgram(
  launch: StdioLaunch,
  cwd: string,
  log: Logger,
): Promise<string | undefined> {
  try {
    const { env, envFile: _file, ...rest } = launch;
    const own = await childEnvironment({ ...rest, env });
    const planned =
      (await planWith(launch, cwd, own)) ??
      (await planWithShell({ ...launch, cwd }, own, {
        log,
        signal: AbortSignal.timeout(locateMs),
        loginShell: userShell,
      }));
    return planned.plan.program;
  } catch {
    // Whatever keeps it from being started is said when it is.
    return undefined;
  }
}

/** Milliseconds for finding a program without starting it. */
const locateMs = 10_000;

interface Planned {
  readonly plan: SpawnPlan;
  readonly env: Record<string, string>;
}

async function planWith(
  { command, args }: StdioLaunch,
  cwd: string,
  env: Record<string, string>,
): Promise<Planned | undefined> {
  const { platform } = process;
  const plan = await planSpawn({
    ...{ platform, command, args, cwd, kindOf },
    path: variableOf(env, 'PATH') ?? defaultPath,
    pathext: variableOf(env, 'PATHEXT'),
    commandProcessor: `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\cmd.exe`,
  });
  return plan && { plan, env };
}

/** Once more, with the PATH of the login shell for the server and all that it starts, unless the entry has a PATH of its own. */
async function planWithShell(
  launch: StdioLaunch & { readonly cwd: string },
  env: Record<string, string>,
  { log, signal, loginShell }: Required<SpawnOptions>,
): Promise<Planned> {
  const { command, cwd } = launch;
  if (!isBareName(process.platform, command)) throw commandNotFound(command, undefined);
  const path = variableOf(env, 'PATH') ?? '';
  const isOwn = Object.hasOwn(launch.env, 'PATH') || path !== (process.env['PATH'] ?? '');
  if (process.platform === 'win32' || isOwn) throw commandNotFound(command, path || defaultPath);
  log.info(`"${command}" is not in the PATH of the editor: asking the login shell for its PATH`);
  const shellPath = await Promise.race([loginShell.path(), abortOf(signal)]);
  if (shellPath === undefined) {
    log.info('the login shell did not tell its PATH');
    throw commandNotFound(command, path);
  }
  const joined = [...new Set(`${shellPath}:${path}`.split(':'))].filter(Boolean).join(':');
  const planned = await planWith(launch, cwd, { ...env, PATH: joined });
  if (planned === undefined) throw commandNotFound(command, joined, true);
  log.info(`found ${planned.plan.program}: the server gets the PATH of the login shell`);
  return planned;
}

async function spawned(child: ChildProcess, command: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => reject(spawnFailure(command, error)));
  });
  // Later errors (a failed kill, say) change nothing: the exit is what counts.
  child.on('error', () => undefined);
}

async function kindOf(path: string): Promise<FileKind> {
  try {
    const status = await stat(path);
    if (process.platform === 'win32') return status.isFile() ? 'program' : 'missing';
    if (!status.isFile()) return 'unusable';
  } catch {
    return 'missing';
  }
  try {
    await access(path, constants.X_OK);
    return 'program';
  } catch {
    return 'unusable';
  }
}

async function directoryExists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
