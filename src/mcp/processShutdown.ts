import type { ChildProcess } from 'node:child_process';
import { withTimeout } from '../base/async.ts';
import { releaseGroup } from './processGuard.ts';
import { hasExited, signalGroup } from './processSignals.ts';

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
    signalGroup(child, 'SIGTERM');
    await isGone(grace.terminate);
  }
  // Also after a clean exit: a child of the server may have stayed.
  signalGroup(child, 'SIGKILL');
  releaseGroup(child);
  await isGone(grace.kill);
  // What is still in the pipes may tell why it ended.
  await withTimeout(drained, drainTime).catch(() => undefined);
  child.stdout?.destroy();
  child.stderr?.destroy();
}
