/** Servers that start at a time. */
const defaultPlaces = 6;
/** Milliseconds after which a start that is still going on no longer keeps others waiting. */
const defaultHold = 8000;

/**
 * Lets only a few servers start at a time, so that opening a window with many of them does not bring the machine to
 * its knees. Only what nobody waits for has to queue; see `Turn.hurry`.
 */
export class StartGate {
  readonly #places: number;
  readonly #hold: number;
  /** In the order of their coming. */
  readonly #queue = new Set<Turn>();
  #taken = 0;

  constructor(places = defaultPlaces, hold = defaultHold) {
    this.#places = places;
    this.#hold = hold;
  }

  /** The turn of one start. Ends with the signal, at the latest. */
  turn(signal: AbortSignal): Turn {
    const turn = new Turn({
      enter: () => {
        this.#queue.add(turn);
        this.#admit();
      },
      leave: () => this.#queue.delete(turn),
    });
    if (signal.aborted) turn.end();
    else signal.addEventListener('abort', () => turn.end(), { once: true });
    return turn;
  }

  #admit(): void {
    for (const turn of this.#queue) {
      if (this.#taken >= this.#places) return;
      this.#queue.delete(turn);
      this.#taken += 1;
      let isTaken = true;
      const release = (): void => {
        if (!isTaken) return;
        isTaken = false;
        clearTimeout(timer);
        this.#taken -= 1;
        this.#admit();
      };
      const timer = setTimeout(release, this.#hold).unref();
      turn.admit(release);
    }
  }
}

/** One start on its way through the gate. */
export class Turn {
  readonly #queue: { enter(): void; leave(): void };
  readonly #admitted = Promise.withResolvers<void>();
  #release: (() => void) | undefined;
  /** Whether it need not wait any more. */
  isAdmitted = false;

  constructor(queue: { enter(): void; leave(): void }) {
    this.#queue = queue;
  }

  /** Queues up unless that is not needed. Resolves when it is its turn, or when it has ended. */
  enter(): Promise<void> {
    if (!this.isAdmitted) this.#queue.enter();
    return this.#admitted.promise;
  }

  /** Somebody waits for this start: it goes ahead at once and takes no place. */
  hurry(): void {
    if (this.isAdmitted) return;
    this.#queue.leave();
    this.#pass();
  }

  /** Called by the gate when a place is free, which `release` gives back. */
  admit(release: () => void): void {
    this.#release = release;
    this.#pass();
  }

  /** The start is over, or given up. */
  end(): void {
    this.hurry();
    this.#release?.();
  }

  #pass(): void {
    this.isAdmitted = true;
    this.#admitted.resolve();
  }
}
