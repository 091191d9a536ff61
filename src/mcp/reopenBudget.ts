/** Times that are let through as fast as the server wants them. */
const free = 5;
/** Milliseconds after which one more is, from then on. */
const refill = 12_000;

/** Says how long to wait before an event stream is opened again, or a list taken over, so that no server makes us spin. */
export class ReopenBudget {
  #tokens = free + 1;
  #at: number | undefined;

  /** Takes one time at `now` (milliseconds of a monotonic clock) and gives the milliseconds to wait first. */
  take(now: number): number {
    const passed = now - (this.#at ?? now);
    this.#at = now;
    this.#tokens = Math.min(free + 1, this.#tokens + passed / refill) - 1;
    return Math.max(0, -this.#tokens * refill);
  }
}
