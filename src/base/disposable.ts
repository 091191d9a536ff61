/** Something that holds a resource. Structurally a `vscode.Disposable`. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function so that it runs at most once, on `dispose`. */
export function toDisposable(release: () => void): Disposable {
  let isDisposed = false;
  return {
    dispose: () => {
      if (isDisposed) return;
      isDisposed = true;
      release();
    },
  };
}

/** Owns disposables and releases them together, newest first. What is added after `dispose` is released at once. */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#items.add(item);
    return item;
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const items = [...this.#items].toReversed();
    this.#items.clear();
    disposeAll(items);
  }
}

/** Owns one disposable per key; setting a key again releases what it held. */
export class DisposableMap<K> implements Disposable {
  readonly #items = new Map<K, Disposable>();
  #isDisposed = false;

  has(key: K): boolean {
    return this.#items.has(key);
  }

  keys(): K[] {
    return [...this.#items.keys()];
  }

  set(key: K, item: Disposable): void {
    this.delete(key);
    if (this.#isDisposed) item.dispose();
    else this.#items.set(key, item);
  }

  delete(key: K): void {
    const item = this.#items.get(key);
    this.#items.delete(key);
    item?.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    const items = [...this.#items.values()];
    this.#items.clear();
    disposeAll(items);
  }
}

/** Releases every item even when some throw; the first error is thrown at the end. */
function disposeAll(items: readonly Disposable[]): void {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      item.dispose();
    } catch (error: unknown) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
