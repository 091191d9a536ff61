import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import spawn from 'cross-spawn';
import { errorMessage } from '../base/errors.ts';
import { commandNotFound, directoryMissing, spawnRefused } from '../core/failures.ts';
import type { StdioLaunch } from '../core/settings/serverConfiguration.ts';
import { childEnvironment } from './environment.ts';

/** A child process whose three streams are pipes. */
export type ServerProcess = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess['stdin']>;
  readonly stdout: NonNullable<ChildProcess['stdout']>;
  readonly stderr: NonNullable<ChildProcess['stderr']>;
  readonly pid: number;
};

/**
 * Starts the program of a local server, without a shell and as the leader of a process group of its own, so
 * that its children can be stopped with it. Throws a `BridgeError` that says what is missing. The only
 * place that starts a process.
 */
export async function spawnServer(
  launch: StdioLaunch,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const cwd = launch.cwd ?? homedir();
  const [env, isDirectory] = await Promise.all([childEnvironment(launch), directoryExists(cwd)]);
  if (!isDirectory) throw directoryMissing(cwd);
  signal.throwIfAborted();
  let child: ChildProcess;
  try {
    child = spawn(launch.command, [...launch.args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // On Windows a detached process would get a console window of its own.
      detached: process.platform !== 'win32',
    });
  } catch (error: unknown) {
    throw spawnRefused(launch.command, errorMessage(error));
  }
  await spawned(child, launch, env['PATH']);
  return child as ServerProcess;
}

async function spawned(
  child: ChildProcess,
  { command }: StdioLaunch,
  path?: string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT'
          ? commandNotFound(command, path)
          : spawnRefused(command, error.message),
      );
    });
  });
  // Later errors (a failed kill, say) change nothing: the exit is what counts.
  child.on('error', () => undefined);
}

async function directoryExists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
