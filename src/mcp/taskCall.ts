import { ProtocolError } from '@modelcontextprotocol/client';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { BridgeError, outcomeUnknown } from '../core/failures.ts';
import { visibleText } from '../core/visibleText.ts';

/** Milliseconds between two questions for the state of a task: the fewest, the most, and those without a word of the server. */
const pollBounds = { least: 250, most: 10_000, usual: 1000 } as const;
const maxMessage = 500;

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;
const interval = z.number().positive().optional().catch(undefined);
const words = z.string().optional().catch(undefined);

/** A task as both revisions write it: 2025-11-25 has `pollInterval`, 2026-07-28 `pollIntervalMs`. */
const taskSchema = z.looseObject({
  taskId: z.string().min(1).max(4096),
  status: z.enum(statuses),
  statusMessage: words,
  lastUpdatedAt: words,
  pollInterval: interval,
  pollIntervalMs: interval,
});

type Task = z.infer<typeof taskSchema>;
type TaskMethod = 'tasks/get' | 'tasks/result' | 'tasks/update' | 'tasks/cancel';

/** What a task is followed with. */
export interface TaskPorts {
  /** The settings key of the server. */
  readonly server: string;
  readonly tool: string;
  readonly isModern: boolean;
  /** Whether the server takes `tasks/cancel`. */
  readonly mayCancel: boolean;
  /** Ends the call: cancelled, or out of time. */
  readonly signal: AbortSignal;
  /** Sends a request; gives its result as it was sent. */
  request(method: TaskMethod, params: JsonObject, signal: AbortSignal): Promise<unknown>;
  /** Answers a question of the server as if it had come as a request. */
  answer(method: string, params: unknown): Promise<JsonObject>;
  /** The task has moved on, with words of the server or without. */
  onStatus(message: string | undefined): void;
}

/** The task that a `tools/call` gave in place of its result: `CreateTaskResult` of 2025-11-25 or of the extension of 2026-07-28. */
export function createdTask(result: unknown, isModern: boolean): Task | undefined {
  if (!isJsonObject(result) || (isModern && result['resultType'] !== 'task')) return undefined;
  const read = taskSchema.safeParse(isModern ? result : result['task']);
  if (read.success) return read.data;
  if (!isModern) return undefined;
  throw new BridgeError('protocol', 'The server answered with a task that cannot be read.');
}

/**
 * Follows a task to its end and gives the result of the call (MCP specification 2025-11-25, "Tasks"; extension
 * `io.modelcontextprotocol/tasks` of 2026-07-28). When the signal aborts the server is told to cancel the task.
 * Throws what the server gave as the error of the call, or a `BridgeError`.
 */
export async function settleTask(created: Task, ports: TaskPorts): Promise<unknown> {
  const follower = new TaskFollower(created, ports);
  try {
    return await follower.settle();
  } catch (error: unknown) {
    if (ports.signal.aborted && ports.mayCancel) {
      const { taskId } = created;
      // The call has ended: nobody waits for the answer, and the server has a few seconds to take the order.
      ports.request('tasks/cancel', { taskId }, AbortSignal.timeout(5000)).catch(() => undefined);
    }
    throw error;
  }
}

class TaskFollower {
  readonly #ports: TaskPorts;
  #task: Task;
  /** Under 2025-11-25 questions come only while somebody waits for the result. */
  #result: Promise<{ readonly result: unknown } | undefined> | undefined;
  /** Under 2026-07-28: the questions that were answered. */
  readonly #answered = new Set<string>();

  constructor(created: Task, ports: TaskPorts) {
    this.#task = created;
    this.#ports = ports;
  }

  async settle(): Promise<unknown> {
    const { signal, isModern } = this.#ports;
    this.#ports.onStatus(this.#words());
    // A created task that is over already still lacks its result under 2026-07-28.
    if (isModern && isOver(this.#task)) await this.#poll();
    while (!isOver(this.#task)) {
      if (this.#task.status === 'input_required') await this.#giveInput();
      await delay(pollDelay(this.#task), undefined, { signal });
      await this.#poll();
    }
    return isModern ? this.#modernResult() : this.#legacyResult();
  }

  async #poll(): Promise<void> {
    const { taskId } = this.#task;
    const { signal, isModern } = this.#ports;
    const answer = await this.#lost(this.#ports.request('tasks/get', { taskId }, signal));
    // Some servers put it into a member, as in the answer to the call.
    const nested = !isModern && isJsonObject(answer) && isJsonObject(answer['task']);
    const read = taskSchema.safeParse(nested ? answer['task'] : answer);
    if (!read.success) {
      throw outcomeUnknown(this.#failure('is running as a task whose state cannot be read'));
    }
    const before = this.#task;
    this.#task = { ...read.data, taskId };
    const { status, statusMessage, lastUpdatedAt } = this.#task;
    const isSame =
      status === before.status &&
      statusMessage === before.statusMessage &&
      lastUpdatedAt === before.lastUpdatedAt;
    if (!isSame) this.#ports.onStatus(this.#words());
  }

  async #giveInput(): Promise<void> {
    const { taskId } = this.#task;
    const { isModern, signal } = this.#ports;
    if (!isModern) {
      this.#result ??= this.#ports.request('tasks/result', { taskId }, signal).then(
        (result) => ({ result }),
        () => {
          this.#result = undefined;
          return undefined;
        },
      );
      return;
    }
    const questions = isJsonObject(this.#task['inputRequests']) ? this.#task['inputRequests'] : {};
    const open = Object.entries(questions).filter(([key]) => !this.#answered.has(key));
    if (open.length === 0) return;
    const inputResponses = new Map<string, JsonObject>();
    for (const [key, question] of open.slice(0, 10)) {
      this.#answered.add(key);
      const { method, params } = isJsonObject(question) ? question : {};
      inputResponses.set(
        key,
        await this.#ports.answer(typeof method === 'string' ? method : '', params),
      );
      signal.throwIfAborted();
    }
    const update = { taskId, inputResponses: Object.fromEntries(inputResponses) };
    await this.#lost(this.#ports.request('tasks/update', update, signal));
  }

  async #legacyResult(): Promise<unknown> {
    const { taskId, status } = this.#task;
    if (status === 'cancelled') throw this.#cancelled();
    const early = await this.#result;
    if (early !== undefined) return early.result;
    const { signal } = this.#ports;
    try {
      return await this.#ports.request('tasks/result', { taskId }, signal);
    } catch (error: unknown) {
      if (status !== 'failed' || !(error instanceof ProtocolError)) throw error;
      throw this.#failure(`failed: ${this.#words() ?? error.message}`);
    }
  }

  #modernResult(): unknown {
    const { status, result, error } = this.#task;
    if (status === 'cancelled') throw this.#cancelled();
    if (status === 'completed') return result;
    const { code, message } = isJsonObject(error) ? error : {};
    const said = typeof message === 'string' ? message : (this.#words() ?? 'no reason given');
    throw new ProtocolError(typeof code === 'number' ? code : -32_603, said);
  }

  /** A server that refuses a question about a task has lost it, not refused the call. */
  async #lost<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error: unknown) {
      if (!(error instanceof ProtocolError)) throw error;
      const why = `runs as a task that the server does not give out any more: ${error.message}`;
      throw outcomeUnknown(this.#failure(why));
    }
  }

  #cancelled(): BridgeError {
    const said = this.#words();
    const why = said === undefined ? '' : ` (${said})`;
    return this.#failure(
      `was cancelled by the server${why}. It may have taken effect in part: check before calling it again.`,
    );
  }

  #failure(what: string): BridgeError {
    const { tool, server } = this.#ports;
    return new BridgeError('protocol', `The tool "${tool}" of the MCP server "${server}" ${what}`);
  }

  #words(): string | undefined {
    const said = visibleText(this.#task.statusMessage?.slice(0, maxMessage) ?? '').trim();
    return said === '' ? undefined : said;
  }
}

function isOver({ status }: Task): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function pollDelay({ pollInterval, pollIntervalMs }: Task): number {
  const wanted = pollIntervalMs ?? pollInterval ?? pollBounds.usual;
  return Math.min(Math.max(wanted, pollBounds.least), pollBounds.most);
}
