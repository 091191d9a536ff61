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
    const text = [what, ...problems.map((problem) => `    ${problem}`)].join('\n');
    this.failures.push(text);
    this.#say(`✖ ${text}`);
  }
}
