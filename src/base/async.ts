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

/** Rejects with an `AbortError` when the signal aborts; else never settles. For `Promise.race`. */
export function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new DOMException('Cancelled', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Runs one task on demand: one run at a time, and however often it is asked for meanwhile, one more after it. */
export class Coalescer {
  readonly #task: () => Promise<void>;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** The task must not reject. */
  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Resolves after a run that began not before this call. */
  run(): Promise<void> {
    if (this.#current === undefined) {
      this.#current = this.#task().finally(() => {
        this.#current = undefined;
      });
      return this.#current;
    }
    this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      return this.run();
    });
    return this.#next;
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
