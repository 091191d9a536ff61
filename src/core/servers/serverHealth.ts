import { Emitter, type Event } from '../../base/event.ts';

/** How the requests to one server went since the window was opened. Times are milliseconds of the Unix epoch. */
export interface ServerHealth {
  /** `tools/call` in all: those that run, were answered, failed, or were cancelled by the person. */
  readonly calls: number;
  readonly running: number;
  /** Not answered, for whatever reason. An answer that reports an error of the tool is an answer. */
  readonly failures: number;
  /** When the last call began. */
  readonly lastCallAt?: number;
  /** Of the last calls that were answered, 20 at most: milliseconds from the request to its answer. */
  readonly latency?: { readonly count: number; readonly median: number; readonly longest: number };
  /** Starts that nobody ordered, after a failure. */
  readonly restarts: number;
  readonly lastRestart?: { readonly at: number; readonly reason: string };
}

/** The figures of one server as they are now. */
export interface HealthSource {
  readonly figures: ServerHealth;
  /** Fires with every call: not for what is costly. */
  readonly onDidChangeFigures: Event<void>;
}

/** Latencies that are kept. */
const kept = 20;

/** Keeps the figures of one server for as long as it is configured, in bounded room. */
export class HealthRecorder implements HealthSource {
  readonly #didChange: Emitter<void>;
  readonly onDidChangeFigures: Event<void>;
  #calls = 0;
  #running = 0;
  #failures = 0;
  #restarts = 0;
  #lastCallAt: number | undefined;
  #lastRestart: ServerHealth['lastRestart'];
  #latencies: readonly number[] = [];

  constructor(onError: (error: unknown) => void) {
    this.#didChange = new Emitter(onError);
    this.onDidChangeFigures = this.#didChange.event;
  }

  get figures(): ServerHealth {
    const sorted = this.#latencies.toSorted((left, right) => left - right);
    const longest = sorted.at(-1);
    const middle = sorted.length / 2;
    const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
    return {
      calls: this.#calls,
      running: this.#running,
      failures: this.#failures,
      restarts: this.#restarts,
      ...(this.#lastCallAt !== undefined && { lastCallAt: this.#lastCallAt }),
      ...(longest !== undefined && { latency: { count: sorted.length, median, longest } }),
      ...(this.#lastRestart !== undefined && { lastRestart: this.#lastRestart }),
    };
  }

  callBegan(at: number): void {
    this.#calls += 1;
    this.#running += 1;
    this.#lastCallAt = at;
    this.#didChange.fire();
  }

  /** To be said once for each `callBegan`, with the milliseconds its answer took. */
  callEnded(outcome: number | 'failed' | 'cancelled'): void {
    this.#running -= 1;
    if (outcome === 'failed') this.#failures += 1;
    if (typeof outcome === 'number') {
      this.#latencies = [...this.#latencies.slice(1 - kept), outcome];
    }
    this.#didChange.fire();
  }

  restarted(at: number, reason: string): void {
    this.#restarts += 1;
    this.#lastRestart = { at, reason };
    this.#didChange.fire();
  }
}

/** The figures in a few lines, each a label and a value; none for what has not happened. `time` writes a point in time. */
export function healthLines(
  { calls, running, failures, lastCallAt, latency, restarts, lastRestart }: ServerHealth,
  time: (at: number) => string,
): readonly (readonly [label: string, value: string])[] {
  const parts = [
    ...(running > 0 ? [`${running} running`] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(lastCallAt === undefined ? [] : [`the last at ${time(lastCallAt)}`]),
  ];
  return [
    ...(calls > 0 ? [['Calls', [String(calls), ...parts].join(', ')] as const] : []),
    ...(latency === undefined
      ? []
      : [
          [
            latency.count === 1 ? 'The last answer took' : `The last ${latency.count} answers took`,
            latency.count === 1
              ? milliseconds(latency.longest)
              : `${milliseconds(latency.median)} (median), ${milliseconds(latency.longest)} at most`,
          ] as const,
        ]),
    ...(lastRestart === undefined
      ? []
      : [
          [
            'Restarts by itself',
            `${restarts}, the last at ${time(lastRestart.at)}: ${lastRestart.reason}`,
          ] as const,
        ]),
  ];
}

function milliseconds(value: number): string {
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ms`;
}
