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
  readonly #settle: number;
  #isReading = false;
  /** Said during a reading, which may have missed that change. */
  #isNoted = false;
  #gap = 0;
  #readAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `settle`: milliseconds for further changes of a burst to come, before it is read. */
  constructor(settle: number, read: () => Promise<boolean>) {
    this.#settle = settle;
    this.#read = read;
  }

  /** The server says that the list has changed. */
  note(): void {
    if (this.#isReading) this.#isNoted = true;
    else if (this.#timer === undefined) this.#plan();
  }

  /** The wait is not begun anew by further changes, or an endless row of them would hide every one. */
  #plan(): void {
    const wait = Math.max(this.#settle, this.#readAt + this.#gap - performance.now());
    this.#timer = setTimeout(() => void this.#run(), wait).unref();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    const hasChanged = await this.#read();
    this.#isReading = false;
    this.#readAt = performance.now();
    this.#gap = hasChanged ? 0 : Math.min(Math.max(firstGap, this.#gap * 2), maxGap);
    if (!this.#isNoted) return;
    this.#isNoted = false;
    this.#plan();
  }
}
