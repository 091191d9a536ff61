import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import spawn from 'cross-spawn';
import { withTimeout } from '../base/async.ts';
import { toDisposable, type Disposable } from '../base/disposable.ts';

/** Milliseconds a process is given after its stdin ended, and after the polite signal. */
export interface Grace {
  readonly stdinEnd: number;
  readonly terminate: number;
  readonly kill: number;
}

/** Milliseconds to read what a process wrote before it ended. */
const drainTime = 100;

export const defaultGrace: Grace = { stdinEnd: 1800, terminate: 500, kill: 200 };

/**
 * Stops a server process and all it started (MCP specification, "Lifecycle", shutdown over stdio): ends
 * its stdin, then SIGTERM, then SIGKILL to its process group. Resolves when the process is gone, after at
 * most the sum of the grace times (and a moment to read its last words). What it started and left behind is killed too.
 */
export async function shutDown(child: ChildProcess, grace: Grace = defaultGrace): Promise<void> {
  const exited = hasExited(child)
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isDrained = [child.stdout, child.stderr].every((stream) => stream?.closed ?? true);
  const drained = isDrained
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isGone = async (milliseconds: number): Promise<boolean> => {
    try {
      await withTimeout(exited, milliseconds);
      return true;
    } catch {
      return hasExited(child);
    }
  };
  child.stdin?.on('error', () => undefined);
  child.stdin?.end();
  if (!(await isGone(grace.stdinEnd))) {
    signalTree(child, 'SIGTERM');
    await isGone(grace.terminate);
  }
  // Also after a clean exit: a child of the server may have stayed.
  signalTree(child, 'SIGKILL');
  await isGone(grace.kill);
  // What is still in the pipes may tell why it ended.
  await withTimeout(drained, drainTime).catch(() => undefined);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

const killedOnExit = new Set<ChildProcess>();

/** When the editor ends without asking us, no server may stay behind. Dispose once the process is gone. */
export function killOnExit(child: ChildProcess): Disposable {
  // One listener for all: many would look like a leak to Node.
  if (killedOnExit.size === 0) process.on('exit', killAll);
  killedOnExit.add(child);
  return toDisposable(() => {
    killedOnExit.delete(child);
    if (killedOnExit.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of killedOnExit) signalTree(child, 'SIGKILL');
}

function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    if (hasExited(child)) return;
    const args = ['/pid', String(pid), '/T', ...(signal === 'SIGKILL' ? ['/F'] : [])];
    spawn('taskkill', args, { stdio: 'ignore', windowsHide: true }).on('error', () => {
      child.kill(signal);
    });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the group has no member left, which is what is wanted.
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
