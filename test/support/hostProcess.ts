import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import { eventually } from './eventually.ts';
import { childrenOf, ProcessMark } from './processes.ts';
import { root } from './sources.ts';

/** A process that runs servers with our own code, and that may be killed: `test/servers/hostOfServers.ts`. */
export class HostProcess implements AsyncDisposable {
  /** Marks its servers and what these start. */
  readonly mark = new ProcessMark();
  readonly #child: ChildProcess;
  readonly #answers: Interface;

  /** In a process group of its own, like the extension host. */
  constructor(servers: readonly string[]) {
    const program = join(root, 'test/servers/hostOfServers.ts');
    this.#child = spawn(process.execPath, [program, ...servers], {
      env: { ...process.env, ...this.mark.env },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('no pipe');
    this.#answers = createInterface({ input: stdout });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Its guard processes that run: one or none. */
  get guards(): number[] {
    const children = childrenOf(this.pid);
    return children
      .filter(({ commandLine }) => commandLine.includes('mcp-bridge-guard'))
      .map(({ pid }) => pid);
  }

  /** Waits until it runs so many processes, itself included. */
  async ready(processes: number): Promise<void> {
    await once(this.#answers, 'line');
    await eventually('all processes run', () => this.mark.running().length === processes);
  }

  /** Gives an order and waits until it is done: gives `done`, or what became of it. */
  async order(order: string): Promise<string> {
    const done = once(this.#answers, 'line');
    this.#child.stdin?.write(`${order}\n`);
    return String((await done)[0]);
  }

  /** Lets it go: there are no more orders. Gives how it ended. */
  async end(lastOrder = ''): Promise<[code: number | null, signal: string | null]> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end(lastOrder);
    const [code, signal] = (await ended) as [number | null, string | null];
    return [code, signal];
  }

  /** Kills it without a chance to do anything, or its whole process group, servers not included. Gives the milliseconds until no process is left. */
  async kill(target: 'process' | 'group' = 'process'): Promise<number> {
    const startedAt = performance.now();
    process.kill(target === 'group' ? -this.pid : this.pid, 'SIGKILL');
    await eventually('no process is left', () => this.mark.running().length === 0, 5000);
    return performance.now() - startedAt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    this.#child.stdout?.destroy();
    await this.mark.assertGone();
  }
}
