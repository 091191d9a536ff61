import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { root } from '../support/sources.ts';

/** Runs a soak in a process of its own, whose garbage can be collected on demand. Gives its exit code: 0 when no leak was seen. */
export async function runSoak(minutes: number, servers: number): Promise<number> {
  const worker = join(root, 'test/soak/worker.ts');
  const args = ['--expose-gc', worker, String(minutes), String(servers)];
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    // Starting and ending take their time too; it must end whatever happens.
    timeout: (minutes + 5) * 60_000,
    killSignal: 'SIGKILL',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
