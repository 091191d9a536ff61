/** Keeps the end of a text that grows without bound. */
export class TextTail {
  readonly #limit: number;
  #text = '';

  /** `limit`: most characters kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(text: string): void {
    this.#text = (this.#text + text).slice(-this.#limit);
  }

  get text(): string {
    return this.#text;
  }
}
