import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { processesMarked } from './processGroup.ts';

const patienceMs = 6_000;

/**
 * An environment variable that every process of one editor session inherits. It finds what a process group cannot: descendants that left
 * the group, such as an MCP server somebody forgot to end.
 */
export class SessionMarker {
  readonly environment: Readonly<Record<string, string>>;
  readonly #entry: string;

  constructor() {
    const id = randomUUID();
    this.environment = { MCP_BRIDGE_SESSION: id };
    this.#entry = `MCP_BRIDGE_SESSION=${id}`;
  }

  /** Waits for the processes of the session to end. Kills those that do not, and throws an error that lists them. */
  async expectNoProcess(): Promise<void> {
    const deadline = Date.now() + patienceMs;
    let left = await processesMarked(this.#entry);
    while (left.length > 0 && Date.now() < deadline) {
      await delay(100);
      left = await processesMarked(this.#entry);
    }
    if (left.length === 0) return;
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It just ended.
      }
    }
    const list = left.map(({ pid, command }) => `${pid} ${command}`).join('\n');
    throw new Error(`These processes outlived the editor (killed now):\n${list}`);
  }
}
