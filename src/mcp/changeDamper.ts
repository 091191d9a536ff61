/** Milliseconds between two readings of a list that did not change; doubled while it goes on like that. */
const firstGap = 1000;
const maxGap = 30_000;

/**
 * Decides when a list is read again that its server says has changed. Some servers say so whenever they are
 * asked, or several times a second: as long as nothing really changes, the readings become rare.
 */
export class ChangeDamper {
  /** Reads the list; says whether it is another one than before. */
  readonly #read: () => Promise<boolean>;
  #gap = 0;
  #readAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(read: () => Promise<boolean>) {
    this.#read = read;
  }

  /** The server says that the list has changed. */
  note(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#readAt + this.#gap - performance.now());
    this.#timer = setTimeout(() => void this.#run(), wait).unref();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    const hasChanged = await this.#read();
    this.#readAt = performance.now();
    this.#gap = hasChanged ? 0 : Math.min(Math.max(firstGap, this.#gap * 2), maxGap);
  }
}
