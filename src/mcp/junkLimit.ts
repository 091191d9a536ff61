/** More than this within `window` milliseconds is no banner: the program is no MCP server, or a broken one. */
const maxLines = 10_000;
const maxBytes = 1024 * 1024;
const window = 10_000;

/** Counts what a server writes to stdout that is no message. */
export class JunkLimit {
  readonly #now: () => number;
  #since = -Infinity;
  #lines = 0;
  #bytes = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a line of so many bytes. Gives the reason for which the server must be stopped, if there is one now. */
  add(bytes: number): string | undefined {
    const now = this.#now();
    if (now - this.#since > window) {
      this.#since = now;
      this.#lines = 0;
      this.#bytes = 0;
    }
    this.#lines += 1;
    this.#bytes += bytes;
    if (this.#lines <= maxLines && this.#bytes <= maxBytes) return undefined;
    const much = this.#lines > maxLines ? `${maxLines} lines` : `${maxBytes} bytes`;
    return `it was stopped because it wrote more than ${much} to stdout within ${window / 1000} s that are no messages (logs belong to stderr)`;
  }
}
