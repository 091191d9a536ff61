import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Problem } from '../core/problem.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';

/** What can be asked for its tools: a session, or the run of a registered client. */
interface ToolLister {
  listTools(timeoutSeconds: number, signal: AbortSignal): Promise<ServerTools>;
}

/**
 * Reads the tool list of a session: one reading runs, at most one more waits, and the newest always is
 * the last. A reading that fails keeps the list there was.
 */
export class ToolListRefresher<S extends ToolLister> {
  readonly #log: Logger;
  readonly #events: RefresherEvents<S>;
  readonly #readings = new WeakMap<S, Reading>();

  constructor(log: Logger, events: RefresherEvents<S>) {
    this.#log = log;
    this.#events = events;
  }

  /** Resolves after a reading that began not before this call. Never rejects. */
  refresh(session: S, timeoutSeconds: number): Promise<void> {
    const reading = this.#readings.get(session);
    if (reading === undefined) {
      const current = this.#read(session, timeoutSeconds).finally(() => {
        const { next } = this.#readings.get(session) ?? {};
        if (next === undefined) this.#readings.delete(session);
      });
      this.#readings.set(session, { current });
      return current;
    }
    const next =
      reading.next ??
      reading.current.then(() => {
        this.#readings.delete(session);
        return this.refresh(session, timeoutSeconds);
      });
    this.#readings.set(session, { current: reading.current, next });
    return next;
  }

  async #read(session: S, timeoutSeconds: number): Promise<void> {
    try {
      const tools = await session.listTools(timeoutSeconds, new AbortController().signal);
      this.#log.info(`tools: ${tools.tools.length}`);
      for (const { where, message } of tools.problems) this.#log.warn(`${where}: ${message}`);
      this.#events.onDidRead(session, tools);
    } catch (error: unknown) {
      const message = `The tool list could not be read: ${errorMessage(error)}`;
      this.#log.warn(message);
      this.#events.onDidFail(session, { where: 'tools/list', message });
    }
  }
}

interface RefresherEvents<S> {
  readonly onDidRead: (session: S, tools: ServerTools) => void;
  readonly onDidFail: (session: S, problem: Problem) => void;
}

interface Reading {
  readonly current: Promise<void>;
  readonly next?: Promise<void>;
}
