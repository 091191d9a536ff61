import { Coalescer } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Problem } from '../core/problem.ts';
import type { Session } from './session.ts';

interface RefresherOptions<T> {
  /** The list's method and name, for the log and for problems: `tools/list` and `tool list`. */
  readonly method: string;
  readonly name: string;
  readonly log: Logger;
  readonly read: (session: Session) => Promise<T>;
  readonly onDidRead: (session: Session, list: T) => void;
  readonly onDidFail: (session: Session, problem: Problem) => void;
}

/** Reads one list of a session: one reading runs, at most one more waits, and the newest always is the last. */
export class ListRefresher<T extends { readonly problems: readonly Problem[] }> {
  readonly #options: RefresherOptions<T>;
  readonly #readings = new WeakMap<Session, Coalescer>();

  constructor(options: RefresherOptions<T>) {
    this.#options = options;
  }

  /** Resolves after a reading that began not before this call. Never rejects. */
  refresh(session: Session): Promise<void> {
    const reading = this.#readings.get(session) ?? new Coalescer(() => this.#read(session));
    this.#readings.set(session, reading);
    return reading.run();
  }

  async #read(session: Session): Promise<void> {
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
