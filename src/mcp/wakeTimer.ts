import type { Disposable } from '../base/disposable.ts';
import { TickGaps, tickInterval, type Moment } from '../base/tickGaps.ts';

const present = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

/** Tells when the machine has slept, within 10 s of its waking. One timer, which keeps no process alive. */
export class WakeTimer implements Disposable {
  readonly #timer: NodeJS.Timeout;

  /** `onWake` is given the milliseconds slept. */
  constructor(onWake: (slept: number) => void) {
    const gaps = new TickGaps(present());
    this.#timer = setInterval(() => {
      const slept = gaps.tick(present());
      if (slept > 0) onWake(slept);
    }, tickInterval).unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
