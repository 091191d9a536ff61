import { ReopenBudget } from './reopenBudget.ts';

/** Milliseconds between two readings of a list that did not change; doubled while it goes on like that. */
const firstGap = 1000;
const maxGap = 30_000;

/**
 * Decides when a list is read again that its server says has changed. Some servers say so whenever they are
 * asked, or several times a second: as long as nothing really changes, the readings become rare. Others change
 * their list all the time, and each change is costly: after six at once, there are five a minute.
 */
export class ChangeDamper {
  /** Reads the list; says whether it is another one than before. */
  readonly #read: () => Promise<boolean>;
  readonly #settle: number;
  readonly #onPostponed: (() => void) | undefined;
  readonly #budget = new ReopenBudget();
  #isBudgetSpent = false;
  #isReading = false;
  /** Said during a reading, which may have missed that change. */
  #isNoted = false;
  #gap = 0;
  #readAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `settle`: milliseconds for further changes of a burst to come, before it is read. `onPostponed` is called when
   * a change is not read yet because there were so many.
   */
  constructor(settle: number, read: () => Promise<boolean>, onPostponed?: () => void) {
    this.#settle = settle;
    this.#read = read;
    this.#onPostponed = onPostponed;
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
    if (this.#isBudgetSpent && wait > this.#settle) this.#onPostponed?.();
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isReading = true;
    const hasChanged = await this.#read();
    this.#isReading = false;
    this.#readAt = performance.now();
    if (hasChanged) this.#gap = this.#budget.take(this.#readAt);
    else if (this.#isBudgetSpent) this.#gap = firstGap;
    else this.#gap = Math.min(Math.max(firstGap, this.#gap * 2), maxGap);
    this.#isBudgetSpent = hasChanged && this.#gap > 0;
    if (!this.#isNoted) return;
    this.#isNoted = false;
    this.#plan();
  }
}
