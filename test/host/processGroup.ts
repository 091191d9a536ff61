import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const live = new Set<number>();
let guarded = false;

/**
 * Notes that the process group `pid` belongs to this process: it is killed when this process exits or is ended by a signal. Returns a function
 * that takes the note back, for when the group ended.
 */
export function ownGroup(pid: number): () => void {
  endGroupsWithThisProcess();
  live.add(pid);
  return () => live.delete(pid);
}

/** A long-running program and everything it starts in its own process group. */
export interface ProcessGroup {
  readonly pid: number;
  /** Resolves when the program itself ended. */
  readonly ended: Promise<void>;
  isRunning(): boolean;
  /** Asks the group to end, then forces it. Resolves when no process of the group is left; throws when one is. */
  stop(): Promise<void>;
}

export interface ProcessGroupOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Receives what the program prints. */
  readonly logFile: string;
}

const patienceMs = 4_000;

/** Starts a program in a process group of its own. The group also ends when this process does, by exit or by signal. */
export function startProcessGroup(
  file: string,
  args: readonly string[],
  options: ProcessGroupOptions,
): Promise<ProcessGroup> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => log(options.logFile, data));
    }
    child.once('error', (error) => reject(new Error(`Cannot start ${file}: ${error.message}`)));
    const ended = new Promise<void>((done) => child.once('exit', () => done()));
    child.once('spawn', () => {
      const pid = child.pid;
      if (pid === undefined) return;
      const disown = ownGroup(pid);
      resolve({
        pid,
        ended,
        isRunning: () => groupExists(pid),
        stop: () => stopGroup(pid, file).then(disown),
      });
    });
  });
}

function log(file: string, data: Buffer): void {
  try {
    appendFileSync(file, data);
  } catch {
    // The folder of the session is being removed.
  }
}

async function stopGroup(pid: number, file: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    signalGroup(pid, signal);
    const deadline = Date.now() + patienceMs;
    while (groupExists(pid) && Date.now() < deadline) await delay(50);
    if (!groupExists(pid)) return;
  }
  throw new Error(`Processes of group ${pid} (${file}) survived SIGKILL.`);
}

function groupExists(pid: number): boolean {
  return signalGroup(pid, 0);
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

function endGroupsWithThisProcess(): void {
  if (guarded) return;
  guarded = true;
  process.on('exit', killGroups);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Whoever keeps a handler of its own (an interactive start) cleans up in order and exits itself.
      if (process.listenerCount(signal) > 0) return;
      killGroups();
      process.kill(process.pid, signal);
    });
  }
}

function killGroups(): void {
  for (const pid of live) signalGroup(pid, 'SIGKILL');
}

export interface SurvivingProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Lists the processes whose environment has `NAME=value`: also those that left their group. An environment marker is inherited
 * by every descendant, so this finds what a process group cannot. Only Linux can tell; elsewhere the list is empty.
 */
export async function processesMarked(marker: string): Promise<SurvivingProcess[]> {
  if (process.platform !== 'linux') return [];
  const found: SurvivingProcess[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      if (!environment.split('\0').includes(marker)) continue;
      const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
      // A zombie has an empty command line: it ended, its parent just has not noticed.
      if (command !== '') found.push({ pid, command });
    } catch {
      // Ended meanwhile, or not ours to read.
    }
  }
  return found;
}
