interface IdleOptions {
  /** Minutes without use after which the server is idle; 0: it never is. May change at any time, see `update`. */
  readonly minutes: () => number;
  /** Whether it is in use now. */
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

/** Watches over the use of one session. One timer for any number of uses. */
export class IdleTimer {
  readonly #options: IdleOptions;
  #timer: NodeJS.Timeout | undefined;
  #usedAt = 0;

  constructor(options: IdleOptions) {
    this.#options = options;
  }

  /** The session has begun. */
  start(): void {
    this.use();
    this.update();
  }

  /** Something was asked of the server, or has been answered. */
  use(): void {
    this.#usedAt = performance.now();
  }

  /** Takes over the minutes as they are now. */
  update(): void {
    this.stop();
    const limit = this.#options.minutes() * 60_000;
    if (limit <= 0) return;
    const wait = Math.max(0, this.#usedAt + limit - performance.now());
    this.#timer = setTimeout(() => this.#look(limit), wait).unref();
  }

  /** The session is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #look(limit: number): void {
    if (this.#options.isBusy()) this.use();
    // Timers may fire a little early.
    if (performance.now() - this.#usedAt >= limit - 5) this.#options.onIdle();
    else this.update();
  }
}
