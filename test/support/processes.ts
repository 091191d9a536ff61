import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { eventually } from './eventually.ts';

/** Environment variable that marks every process of one test, grandchildren included. */
const markVariable = 'MCP_BRIDGE_TEST_MARK';

/** The mark this process was started with. */
export function markFromEnvironment(): Pick<ProcessMark, 'env'> {
  return { env: { [markVariable]: process.env[markVariable] ?? '' } };
}

/** An environment that marks all processes started with it, and a way to find those that run. Linux only: reads `/proc`. */
export class ProcessMark {
  readonly env: Readonly<Record<string, string>> = { [markVariable]: randomUUID() };
  /** What ran before cannot be ours; looking at it again and again would cost much. */
  readonly #others = new Set(processIds());

  /** Process ids that run now. */
  running(): number[] {
    const needle = Buffer.from(`${markVariable}=${this.env[markVariable]}`);
    return processIds().filter(
      (pid) =>
        !this.#others.has(pid) &&
        isRunning(pid) &&
        (read(`/proc/${pid}/environ`)?.includes(needle) ?? false),
    );
  }

  /** Fails unless all of them are gone within a short time. */
  async assertGone(): Promise<void> {
    await eventually('all processes are gone', () => this.running().length === 0, 3000).catch(
      () => undefined,
    );
    assert.deepEqual(this.running(), [], 'processes were left behind');
  }
}

/** Whether the process exists and is no zombie: nobody may wait for an orphan in a container. */
export function isRunning(pid: number): boolean {
  const state = /\) (\S)/.exec(read(`/proc/${pid}/stat`)?.toString('latin1') ?? '')?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Processes that a process has started, those of its children not included. */
export function childrenOf(parent: number): { pid: number; commandLine: string }[] {
  return processIds().flatMap((pid) => {
    const fields = /\) \S (\d+) /.exec(read(`/proc/${pid}/stat`)?.toString('latin1') ?? '');
    if (Number(fields?.[1]) !== parent) return [];
    return { pid, commandLine: read(`/proc/${pid}/cmdline`)?.toString('utf8') ?? '' };
  });
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Gone meanwhile, or not ours.
    return undefined;
  }
}
