import type { Logger } from '../base/log.ts';
import { visibleText } from '../core/visibleText.ts';

/** What may be logged at once, and what more of it each second. */
const burst = { lines: 200, characters: 65_536 };
const perSecond = { lines: 10, characters: 4096 };
/** Most characters of a line that are logged. */
const maxLine = 2000;

/** Logs what a server writes beside its messages, as long as that is little; of more it only says how much it was. */
export class OutputLog {
  readonly #log: Logger;
  readonly #source: string;
  readonly #now: () => number;
  #lines = burst.lines;
  #characters = burst.characters;
  #filledAt: number;
  #skipped = 0;

  /** `source` stands before each line; `now` gives milliseconds. */
  constructor(log: Logger, source: string, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#source = source;
    this.#now = now;
    this.#filledAt = now();
  }

  /** Whether what comes now would not be logged. */
  get isFull(): boolean {
    const seconds = (this.#now() - this.#filledAt) / 1000;
    if (seconds > 1) {
      this.#filledAt = this.#now();
      this.#lines = Math.min(burst.lines, this.#lines + seconds * perSecond.lines);
      this.#characters = Math.min(
        burst.characters,
        this.#characters + seconds * perSecond.characters,
      );
    }
    return this.#lines < 1 || this.#characters < 1;
  }

  push(line: string): void {
    if (this.isFull) {
      this.skip(line.length + 1);
      return;
    }
    this.flush();
    const text = visibleText(line.slice(0, maxLine));
    this.#lines -= 1;
    this.#characters -= text.length;
    this.#log.info(`${this.#source}: ${text}`);
  }

  /** `length`: of what is not logged. */
  skip(length: number): void {
    this.#skipped += length;
  }

  /** Says how much was not logged since it was last said. */
  flush(): void {
    if (this.#skipped === 0) return;
    this.#log.info(`${this.#source}: (too much to log: ${this.#skipped} characters left out)`);
    this.#skipped = 0;
  }
}
