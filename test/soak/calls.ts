import { closeSync, openSync, readFileSync } from 'node:fs';
import type { ServerAnswer } from '../../src/core/tools/toolCall.ts';
import type { ServerSupervisor } from '../../src/mcp/serverSupervisor.ts';
import { largeLength, type SoakTool } from '../servers/soakTools.ts';

/** Calls one soak can make: what is kept of them is laid out beforehand, so that it is not taken for a leak. */
const maxCalls = 2_000_000;

/** All calls of a soak, what became of them, and how often each was carried out. */
export class Calls {
  /** Where the servers note executions. */
  readonly executionsFile: string;
  /** By tool and outcome. */
  readonly outcomes = new Map<string, number>();
  /** Answers that are not what was asked for. */
  readonly wrong: string[] = [];
  made = 0;
  settled = 0;
  readonly #host: ServerSupervisor;
  readonly #isAnswered = new Uint8Array(maxCalls);

  constructor(host: ServerSupervisor, executionsFile: string) {
    this.#host = host;
    this.executionsFile = executionsFile;
    closeSync(openSync(executionsFile, 'w'));
  }

  get isFull(): boolean {
    return this.made >= maxCalls;
  }

  /** Makes one call; cancels it after so many milliseconds, if it is told to. Never rejects. */
  async make(key: string, tool: SoakTool, cancelAfter?: number): Promise<void> {
    const id = this.made;
    this.made += 1;
    const abort = new AbortController();
    const timer =
      cancelAfter === undefined ? undefined : setTimeout(() => abort.abort(), cancelAfter);
    let outcome: string;
    try {
      const { signal } = abort;
      const answer = await this.#host.callTool({
        ...{ serverId: `user/${key}`, tool, arguments: { id }, signal },
      });
      outcome = this.#read(answer, tool, id);
    } catch (error: unknown) {
      outcome = abort.signal.aborted ? 'cancelled' : this.#note(`${key} ${tool}: ${String(error)}`);
    }
    clearTimeout(timer);
    this.settled += 1;
    const name = `${tool}: ${outcome}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  /** Calls that were carried out more than once, and those that were answered though they were not carried out. */
  checkExecutions(): { executions: number; twice: number; never: number } {
    const count = new Uint8Array(maxCalls);
    const ids = readFileSync(this.executionsFile, 'latin1').trimEnd().split('\n');
    for (const id of ids) count[Number(id)] = (count[Number(id)] ?? 0) + 1;
    return {
      executions: ids.length,
      twice: count.filter((times) => times > 1).length,
      never: this.#isAnswered.filter((answered, id) => answered === 1 && count[id] === 0).length,
    };
  }

  #read(answer: ServerAnswer, tool: SoakTool, id: number): string {
    if (answer.kind === 'failure') return answer.code;
    this.#isAnswered[id] = 1;
    const { content, isError = false } = answer.result as {
      content?: readonly { text?: string }[];
      isError?: boolean;
    };
    const text = content?.[0]?.text ?? '';
    const isOwn = text === `${tool} ${id}` || text.startsWith(`${tool} ${id} `);
    const isWhole = tool !== 'large' || text.length > largeLength;
    if (isOwn && isWhole && isError === (tool === 'fail')) return 'answered';
    return this.#note(`${tool} ${id} was answered ${JSON.stringify(answer.result).slice(0, 300)}`);
  }

  #note(problem: string): string {
    if (this.wrong.length < 20) this.wrong.push(problem);
    return 'WRONG';
  }
}
