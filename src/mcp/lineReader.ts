/** Largest message on stdio, in bytes: results of some megabytes are real, and JSON may double them. */
export const maxMessageBytes = 32 * 1024 * 1024;

const newline = 0x0a;

/** What a line reader found, in order. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  /** A line longer than the limit: dropped, up to its end. Reported once, when the limit is passed. */
  | { readonly kind: 'tooLong' };

/**
 * Cuts a byte stream into lines (MCP specification, "stdio": messages are delimited by newlines). Chunks
 * may split anywhere, also inside a character. Costs linear time; holds at most `limit` bytes.
 */
export class LineReader {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #isSkipping = false;

  constructor(limit: number = maxMessageBytes) {
    this.#limit = limit;
  }

  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#append(chunk.subarray(start, end), lines);
      if (this.#isSkipping) this.#isSkipping = false;
      else lines.push({ kind: 'line', text: this.#take() });
      start = end + 1;
    }
    this.#append(chunk.subarray(start), lines);
    return lines;
  }

  #append(part: Buffer, lines: Line[]): void {
    if (this.#isSkipping || part.length === 0) return;
    if (this.#length + part.length > this.#limit) {
      this.#take();
      this.#isSkipping = true;
      lines.push({ kind: 'tooLong' });
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
