import type { Disposable } from './disposable.ts';

/** Thrown by `withTimeout` when the time is over. */
export class TimeoutError extends Error {
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds} ms`);
    this.name = 'TimeoutError';
  }
}

/** Settles as the promise does, or rejects with `TimeoutError` after so many milliseconds. The promise itself keeps running. */
export async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new TimeoutError(milliseconds)), milliseconds);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs tasks one after another, in the order they were queued. A failed task does not stop the next. */
export class Sequencer {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task, task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/**
 * Runs a task when asked: one run at a time, at most one more waiting, and the first after a quiet
 * time of `delay` milliseconds. Errors go to `onError`.
 */
export class Coalescer implements Disposable {
  readonly #task: () => Promise<void>;
  readonly #delay: number;
  readonly #onError: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #isWanted = false;
  #isDisposed = false;

  constructor(task: () => Promise<void>, delay: number, onError: (error: unknown) => void) {
    this.#task = task;
    this.#delay = delay;
    this.#onError = onError;
  }

  request(): void {
    if (this.#isDisposed) return;
    this.#isWanted = true;
    if (!this.#isRunning) this.#arm();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#run().catch(this.#onError);
    }, this.#delay);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#isWanted = false;
    try {
      await this.#task();
    } finally {
      this.#isRunning = false;
      if (this.#isWanted && !this.#isDisposed) this.#arm();
    }
  }
}
