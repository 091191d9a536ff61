/** Keeps the end of what a process writes. Costs constant time and room for each chunk. */
export class ByteTail {
  readonly #limit: number;
  #bytes: Buffer = Buffer.alloc(0);

  /** `limit`: most bytes kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const added = chunk.subarray(-this.#limit);
    const kept = Math.min(this.#bytes.length, this.#limit - added.length);
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#bytes.length - kept), added]);
  }

  /** Begins with a whole character; lines end with `\n`. */
  get text(): string {
    return this.#bytes
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
      .replaceAll('\r\n', '\n');
  }
}
