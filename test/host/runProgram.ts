import { spawn } from 'node:child_process';
import { ownGroup } from './processGroup.ts';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Called with every line the program writes, for programs whose progress a person wants to see. */
  readonly onOutput?: (text: string) => void;
}

const tailLength = 4_000;

/**
 * Runs a program to its end and resolves with its output (stdout and stderr as they came).
 * Rejects when it cannot start, fails or outlives `timeoutMs`; the message names the program and ends with its last output.
 * The program gets a process group of its own, so that a timeout takes its children with it.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const group = process.platform !== 'win32';
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: group,
      shell: !group && file === 'npm',
    });
    const disown = group && child.pid !== undefined ? ownGroup(child.pid) : undefined;
    let output = '';
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      try {
        if (group && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It ended in this very moment.
      }
    }, options.timeoutMs);
    const collect = (data: Buffer): void => {
      const text = data.toString('utf8');
      output += text;
      options.onOutput?.(text);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const command = [file, ...args].join(' ');
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`Cannot run "${command}": ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      disown?.();
      if (code === 0) return resolve(output);
      const why = timedOut
        ? `took longer than ${options.timeoutMs / 1000} s`
        : `ended with ${signal ?? `exit code ${code}`}`;
      reject(new Error(`"${command}" ${why}. Its last output:\n${output.slice(-tailLength)}`));
    });
  });
}
