/** Most problems told of one check; the rest are counted. */
const maxTold = 20;

/** Counts checks, and says at once what is wrong. */
export class Checks {
  readonly #say: (line: string) => void;
  readonly failures: string[] = [];
  #passed = 0;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  get passed(): number {
    return this.#passed;
  }

  /** One check; it has failed when it found problems. */
  add(what: string, problems: readonly string[]): void {
    if (problems.length === 0) {
      this.#passed += 1;
      return;
    }
    const told = problems.slice(0, maxTold).map((problem) => `    ${problem}`);
    if (problems.length > maxTold) told.push(`    and ${problems.length - maxTold} more`);
    const text = [what, ...told].join('\n');
    this.failures.push(text);
    this.#say(`✖ ${text}`);
  }
}
