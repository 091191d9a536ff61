import type { Disposable } from '../base/disposable.ts';
import type { CallProgress } from '../core/tools/toolCall.ts';
import type { Timeouts } from '../core/settings/serverConfiguration.ts';

/** Milliseconds a timer may fire late on a busy machine; what is later tells of a sleep. */
const maxLate = 10_000;

/**
 * Times one call: its silence and its whole duration. While the person answers a question of the server
 * the clock stands, for that time is not the server's. Nor is the time the machine slept: on systems whose
 * timers go on in a sleep, all would fire at the waking.
 */
export class CallClock implements Disposable {
  /** The limit that was passed, once `signal` is aborted. */
  expired: 'call' | 'total' | undefined;
  readonly #abort = new AbortController();
  readonly #limits: Pick<Timeouts, 'call' | 'total'>;
  readonly #now: () => number;
  #timers: NodeJS.Timeout[] = [];
  /** Milliseconds of the whole duration that are used up, not counting the present run. */
  #used = 0;
  #runningSince: number | undefined;

  /** `now`: milliseconds of the clock that timers follow. */
  constructor(limits: Pick<Timeouts, 'call' | 'total'>, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.resume();
  }

  /** Aborts when a limit is passed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The server has shown that it is still at work. */
  progress(): void {
    if (this.#runningSince === undefined) return;
    this.pause();
    this.resume();
  }

  pause(): void {
    if (this.#runningSince !== undefined) this.#used += this.#now() - this.#runningSince;
    this.#runningSince = undefined;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  resume(): void {
    if (this.#runningSince !== undefined || this.#abort.signal.aborted) return;
    this.#runningSince = this.#now();
    const { call, total } = this.#limits;
    this.#timers = [
      this.#timer('call', call * 1000),
      this.#timer('total', Math.max(0, total * 1000 - this.#used)),
    ];
  }

  dispose(): void {
    this.pause();
  }

  #timer(limit: 'call' | 'total', milliseconds: number): NodeJS.Timeout {
    const due = this.#now() + milliseconds;
    return setTimeout(() => this.#expire(limit, this.#now() - due), milliseconds);
  }

  #expire(limit: 'call' | 'total', late: number): void {
    this.pause();
    if (late > maxLate) {
      this.#used -= late;
      this.resume();
      return;
    }
    this.expired = limit;
    this.#abort.abort();
  }
}

/** The calls of a session that run now. */
export class RunningCalls {
  readonly #clocks = new Set<CallClock>();
  #questions = 0;
  /** By the token that progress carries; no two calls of a session have the same. */
  readonly #listeners = new Map<string, (progress: CallProgress) => void>();
  #lastToken = 0;

  get isEmpty(): boolean {
    return this.#clocks.size === 0;
  }

  /** Whether the person is taking part in something, which may outlast the call it began in. */
  get isPersonAsked(): boolean {
    return this.#questions > 0;
  }

  /** Runs a call; `limits` end it through the clock's signal. */
  async run<T>(
    limits: Pick<Timeouts, 'call' | 'total'>,
    call: (clock: CallClock, progressToken: number) => Promise<T>,
    onProgress?: (progress: CallProgress) => void,
  ): Promise<T> {
    const clock = new CallClock(limits);
    const token = ++this.#lastToken;
    this.#clocks.add(clock);
    this.#listeners.set(String(token), (progress) => {
      clock.progress();
      onProgress?.(progress);
    });
    try {
      return await call(clock, token);
    } finally {
      this.#listeners.delete(String(token));
      this.#clocks.delete(clock);
      clock.dispose();
    }
  }

  /** A server reports on a call; late reports and those on nothing are of no use to anybody. */
  progress(token: string | number, progress: CallProgress): void {
    this.#listeners.get(String(token))?.(progress);
  }

  /** Runs something that the person takes part in; the clocks stand meanwhile. */
  async whilePaused<T>(action: () => Promise<T>): Promise<T> {
    const clocks = [...this.#clocks];
    for (const clock of clocks) clock.pause();
    this.#questions += 1;
    try {
      return await action();
    } finally {
      this.#questions -= 1;
      for (const clock of clocks) if (this.#clocks.has(clock)) clock.resume();
    }
  }
}
