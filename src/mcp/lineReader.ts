/** Largest message, in bytes: a result of a few megabytes must still come through, to be cut with care. */
export const maxMessageBytes = 32 * 1024 * 1024;

/** Bytes of the beginning of a dropped line that are told. */
const headBytes = 256;

const newline = 0x0a;

/** What a line reader found, in order. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** A line longer than the limit: dropped, up to its end. Reported once, when the limit is passed. */
  | { readonly kind: 'tooLong'; readonly head: string }
  /** That line goes on and on: reported once, when it is `endlessFactor` times as long as the limit. */
  | { readonly kind: 'endless' };

const endlessFactor = 4;

/**
 * Cuts a byte stream into lines (MCP specification, "stdio": messages are delimited by newlines). Chunks
 * may split anywhere, also inside a character. Costs linear time; holds at most `limit` bytes.
 */
export class LineReader {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes of the line that is being dropped; `undefined`: none is. */
  #skipped: number | undefined;

  constructor(limit: number = maxMessageBytes) {
    this.#limit = limit;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#append(chunk.subarray(start, end), lines);
      if (this.#skipped !== undefined) this.#skipped = undefined;
      else lines.push({ kind: 'line', text: this.#take() });
      start = end + 1;
    }
    this.#append(chunk.subarray(start), lines);
    return lines;
  }

  /** Drops what there is of the current line, and the rest of it when it comes. */
  skipLine(): void {
    this.#take();
    this.#skipped = 0;
  }

  #append(part: Buffer, lines: Line[]): void {
    if (part.length === 0) return;
    if (this.#skipped !== undefined) {
      const limit = this.#limit * endlessFactor;
      const before = this.#skipped;
      this.#skipped += part.length;
      if (before <= limit && this.#skipped > limit) lines.push({ kind: 'endless' });
      return;
    }
    if (this.#length + part.length > this.#limit) {
      const head = Buffer.concat([...this.#chunks, part])
        .subarray(0, headBytes)
        .toString('utf8');
      const length = this.#length + part.length;
      this.skipLine();
      this.#skipped = length;
      lines.push({ kind: 'tooLong', head });
      return;
    }
    this.#chunks.push(part);
    this.#length += part.length;
  }

  #take(): string {
    const text = Buffer.concat(this.#chunks, this.#length).toString('utf8');
    this.#chunks = [];
    this.#length = 0;
    // Some servers write a byte order mark before a message.
    return text.replace(/^\uFEFF/, '').trimEnd();
  }
}
