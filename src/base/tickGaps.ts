/** Milliseconds between two ticks. */
export const tickInterval = 10_000;
/** Milliseconds a tick may come late on a busy machine. */
const tolerance = 30_000;

/** One moment on both clocks, in milliseconds. */
export interface Moment {
  /** That never jumps; on some systems it stands while the machine sleeps. */
  readonly monotonic: number;
  /** Of the day: goes on in a sleep, but is set forth and back. */
  readonly wall: number;
}

/** Notices from regular ticks that the machine, or just this process, stood still between two of them. */
export class TickGaps {
  #last: Moment;

  constructor(start: Moment) {
    this.#last = start;
  }

  /** Takes a tick. Gives the milliseconds there was no time for it, 0 for none. A clock of the day set forth looks the same. */
  tick(now: Moment): number {
    const { monotonic, wall } = this.#last;
    this.#last = now;
    const gap = Math.max(now.monotonic - monotonic, now.wall - wall) - tickInterval;
    return gap > tolerance ? gap : 0;
  }
}
