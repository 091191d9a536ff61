import { Coalescer } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Problem } from '../core/problem.ts';

interface RefresherOptions<S, T> {
  /** The list's method and name, for the log and for problems: `tools/list` and `tool list`. */
  readonly method: string;
  readonly name: string;
  readonly log: Logger;
  readonly read: (session: S) => Promise<T>;
  readonly onDidRead: (session: S, list: T) => void;
  readonly onDidFail: (session: S, problem: Problem) => void;
}

/** Reads one list of a session, or of what stands for one: one reading runs, at most one more waits, and the newest always is the last. */
export class ListRefresher<S extends object, T extends { readonly problems: readonly Problem[] }> {
  readonly #options: RefresherOptions<S, T>;
  readonly #readings = new WeakMap<S, Coalescer>();

  constructor(options: RefresherOptions<S, T>) {
    this.#options = options;
  }

  /** Resolves after a reading that began not before this call. Never rejects. */
  refresh(session: S): Promise<void> {
    const reading = this.#readings.get(session) ?? new Coalescer(() => this.#read(session));
    this.#readings.set(session, reading);
    return reading.run();
  }

  async #read(session: S): Promise<void> {
    const { method, name, log, read, onDidRead, onDidFail } = this.#options;
    try {
      const list = await read(session);
      for (const { where, message } of list.problems) log.warn(`${where}: ${message}`);
      onDidRead(session, list);
    } catch (error: unknown) {
      const message = `The ${name} could not be read: ${errorMessage(error)}`;
      log.warn(message);
      onDidFail(session, { where: method, message });
    }
  }
}
