/** Times in a row that the SDK tries to open an event stream again before it gives up. */
export const maxStreamRetries = 8;

export interface StreamEvents {
  /** The stream is open again; what was said meanwhile is lost. */
  reopened(): void;
  /** The network did not let it be opened. */
  failed(): void;
  /** It will not be opened again. */
  ended(reason: string): void;
}

/**
 * Watches the event stream on which a server of the older revisions tells what nobody asked for (MCP
 * specification, "Listening for Messages from the Server"). The SDK opens it again by itself, but tells nobody.
 */
export class StreamWatch {
  readonly #events: StreamEvents;
  #hasOpened = false;
  #failures = 0;

  constructor(events: StreamEvents) {
    this.#events = events;
  }

  /** `isResumed`: the server was asked to begin where the last stream ended. */
  opened(isResumed: boolean): void {
    this.#failures = 0;
    if (this.#hasOpened && !isResumed) this.#events.reopened();
    this.#hasOpened = true;
  }

  /** `status`: HTTP status of the refusal, or `undefined` when there was no answer. */
  failed(status?: number): void {
    if (!this.#hasOpened) return;
    this.#failures += 1;
    if (status === undefined) this.#events.failed();
    // The SDK takes this status for "there is none" and does not come back.
    if (status !== 405 && this.#failures < maxStreamRetries) return;
    this.#hasOpened = false;
    this.#events.ended(status === undefined ? 'no connection' : `HTTP ${status}`);
  }
}
