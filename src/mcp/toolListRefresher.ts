import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Problem } from '../core/problem.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { Session } from './session.ts';

/** How long a page may take and how much is read. */
type ListConfiguration = Pick<ServerConfiguration, 'timeouts' | 'limits'>;

/**
 * Reads the tool list of a session: one reading runs, at most one more waits, and the newest always is
 * the last. A reading that fails keeps the list there was.
 */
export class ToolListRefresher {
  readonly #log: Logger;
  readonly #events: RefresherEvents;
  readonly #readings = new WeakMap<Session, Reading>();

  constructor(log: Logger, events: RefresherEvents) {
    this.#log = log;
    this.#events = events;
  }

  /** Resolves after a reading that began not before this call. Never rejects. */
  refresh(session: Session): Promise<void> {
    const reading = this.#readings.get(session);
    if (reading === undefined) {
      const current = this.#read(session).finally(() => {
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
        return this.refresh(session);
      });
    this.#readings.set(session, { current: reading.current, next });
    return next;
  }

  async #read(session: Session): Promise<void> {
    try {
      const { timeouts, limits } = this.#events.configuration();
      const { signal } = new AbortController();
      const tools = await session.listTools(timeouts.connect, signal, limits);
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

interface RefresherEvents {
  /** As it is when a reading begins. */
  readonly configuration: () => ListConfiguration;
  readonly onDidRead: (session: Session, tools: ServerTools) => void;
  readonly onDidFail: (session: Session, problem: Problem) => void;
}

interface Reading {
  readonly current: Promise<void>;
  readonly next?: Promise<void>;
}
