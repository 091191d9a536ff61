/** Openings in a row that may fail, or not last, before it is given up. */
const maxAttempts = 8;
/** Milliseconds before the first of them; doubled with each further one. */
const firstDelay = 1000;
const maxDelay = 60_000;
/** Share by which a delay is varied, so that all that lost a server do not return to it together. */
const jitter = 0.2;
/** What stood for so many milliseconds is sound: the row is broken. */
const sound = 30_000;

/** Says when something that a server should hold open, and does not, is opened again: soon at first, then later, then never. */
export class ReopenBackoff {
  readonly #random: () => number;
  #attempts = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** Milliseconds to wait after it stood for `lasted` milliseconds, 0 when it could not be opened; `undefined`: give up. */
  next(lasted: number): number | undefined {
    if (lasted >= sound) this.#attempts = 0;
    this.#attempts += 1;
    if (this.#attempts > maxAttempts) return undefined;
    const delay = Math.min(firstDelay * 2 ** (this.#attempts - 1), maxDelay);
    return Math.round(delay * (1 + jitter * (2 * this.#random() - 1)));
  }
}
