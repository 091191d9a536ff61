import { toDisposable, type Disposable } from './disposable.ts';

/** Subscribes a listener; dispose the result to unsubscribe. Same call shape as `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Source of an event. A listener that throws is reported and does not stop the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = (listener) => {
    // A wrapper per subscription, so that the same function can be subscribed twice.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error: unknown) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
