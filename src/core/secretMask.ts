/** Shorter values would blank out ordinary words. */
const minLength = 6;
/** Most values remembered; the oldest are forgotten first. */
const maxValues = 64;

/** Masks secrets that came up while the program runs wherever they turn up in a text. */
export class SecretMask {
  readonly #values = new Set<string>();

  add(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value === undefined || value.length < minLength) continue;
      this.#values.delete(value);
      this.#values.add(value);
      const encoded = encodeURIComponent(value);
      if (encoded !== value) this.#values.add(encoded);
    }
    for (const oldest of this.#values) {
      if (this.#values.size <= maxValues) break;
      this.#values.delete(oldest);
    }
  }

  readonly mask = (text: string): string => {
    const longestFirst = [...this.#values].toSorted((left, right) => right.length - left.length);
    return longestFirst.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text);
  };
}
