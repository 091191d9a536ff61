import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import type { ProcessMark } from '../support/processes.ts';

const mebibyte = 1024 * 1024;
/** Milliseconds between two looks at the event loop; they count as delay to Node. */
const resolution = 5;

/** What this process holds, after a garbage collection. */
export interface Sample {
  /** Milliseconds on the clock of `performance.now()`. */
  readonly at: number;
  /** Mebibytes. */
  readonly rss: number;
  readonly heap: number;
  /** Outside of the heap, but held by what is in it: buffers. */
  readonly external: number;
  readonly descriptors: number;
  /** Processes with the mark of this soak. */
  readonly processes: number;
  /** Open handles, requests and timers of Node, by type. */
  readonly resources: ReadonlyMap<string, number>;
  /** Listeners on the process itself. */
  readonly listeners: number;
}

/** Takes samples, and measures the delay of the event loop between them. */
export class Sampler {
  readonly samples: Sample[] = [];
  readonly #mark: ProcessMark;
  readonly #delay = monitorEventLoopDelay({ resolution });

  constructor(mark: ProcessMark) {
    this.#mark = mark;
    this.#delay.enable();
  }

  take(): void {
    // What measuring costs is not to be measured.
    this.#delay.disable();
    this.samples.push(sampleOf(this.#mark));
    this.#delay.enable();
  }

  /** Forgets what was measured so far: the start is over. */
  warm(): void {
    this.samples.length = 0;
    this.#delay.reset();
  }

  /** Milliseconds. */
  get delays(): { p50: number; p99: number; max: number } {
    const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolution);
    const { max } = this.#delay;
    const at = (share: number): number => late(this.#delay.percentile(share));
    return { p50: at(50), p99: at(99), max: late(max) };
  }

  [Symbol.dispose](): void {
    this.#delay.disable();
  }
}

export function sampleOf(mark: ProcessMark): Sample {
  assert.ok(gc !== undefined, 'node runs without --expose-gc');
  gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  const resources = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    resources.set(type, (resources.get(type) ?? 0) + 1);
  }
  const events = process.eventNames();
  return {
    at: performance.now(),
    rss: rss / mebibyte,
    heap: heapUsed / mebibyte,
    external: external / mebibyte,
    descriptors: readdirSync('/proc/self/fd').length,
    processes: mark.running().length,
    resources,
    listeners: events.reduce((sum, event) => sum + process.listenerCount(event), 0),
  };
}

/** How fast something grows in an hour: the line that fits the samples best (least squares). */
export function hourlyGrowth(samples: readonly Sample[], of: 'rss' | 'heap' | 'external'): number {
  const count = samples.length;
  const mean = (value: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + value(sample), 0) / count;
  const at = mean((sample) => sample.at);
  const level = mean((sample) => sample[of]);
  const covariance = mean((sample) => (sample.at - at) * (sample[of] - level));
  const variance = mean((sample) => (sample.at - at) ** 2);
  return variance === 0 ? 0 : (covariance / variance) * 3_600_000;
}
