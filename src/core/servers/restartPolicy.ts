/** Failures within `window` milliseconds that are answered with a restart. */
const budget = 5;
const window = 3 * 60_000;
/** Milliseconds before the first restart; doubled with each further failure. */
const firstDelay = 1000;
/** Share by which a delay is varied, so that servers that failed together do not return together. */
const jitter = 0.2;
/** A session that lasted so many milliseconds shows that the server is sound. */
const sound = 60_000;
/** Milliseconds between attempts at a remote server, which may be back whenever the network is, once the budget is used up. */
const openBreaker = 30_000;

export interface NextStart {
  /** Milliseconds until a start may be tried; `Infinity`: not before the person orders it. */
  readonly delay: number;
  /** Whether it should be tried by itself then. */
  readonly isAutomatic: boolean;
}

/** Decides when a server that failed is started again: soon at first, then later, then not by itself. */
export class RestartPolicy {
  readonly #random: () => number;
  #failures: number[] = [];

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /**
   * Notes a failure at `now` (milliseconds of a monotonic clock) after a session of `lasted` milliseconds.
   * A remote server is tried for ever, twice a minute: nothing is started on this machine for it.
   */
  failed(now: number, lasted: number, isRemote: boolean): NextStart {
    if (lasted >= sound) this.#failures = [];
    this.#failures = [...this.#failures.filter((time) => now - time < window), now];
    const count = this.#failures.length;
    const variation = 1 + jitter * (2 * this.#random() - 1);
    if (count > budget) {
      const delay = isRemote ? Math.round(openBreaker * variation) : Infinity;
      return { delay, isAutomatic: isRemote };
    }
    return { delay: Math.round(firstDelay * 2 ** (count - 1) * variation), isAutomatic: true };
  }

  /** Forgets all failures: the person has started the server. */
  reset(): void {
    this.#failures = [];
  }
}
