import { rmSync } from 'node:fs';
import { hourlyGrowth, type Sample } from './samples.ts';
import type { Soak } from './soak.ts';

/** Mebibytes the heap, or what it holds, may seem to grow by while it was watched; garbage collections are not exact. */
const memoryNoise = 4;

interface Seen {
  readonly soak: Soak;
  /** Taken after the warm-up. */
  readonly samples: readonly Sample[];
  readonly delays: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly before: Sample;
  /** When everything had ended. */
  readonly after: Sample;
  readonly complaints: readonly string[];
}

/** Prints what a soak saw. Gives what must not be. */
export function report({ soak, samples, delays, before, after, complaints }: Seen): string[] {
  const { calls, disturbances } = soak;
  const { executions, twice, never } = calls.checkExecutions();
  rmSync(calls.executionsFile);
  const hours = ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)) / 3_600_000;
  const heapGrowth = hourlyGrowth(samples, 'heap');
  const externalGrowth = hourlyGrowth(samples, 'external');
  const rss = samples.map((sample) => sample.rss);
  const held = [...after.resources].flatMap(([type, count]) => {
    const more = count - (before.resources.get(type) ?? 0);
    return more > 0 ? [`${more} × ${type}`] : [];
  });
  const most = (of: (sample: Sample) => number): number => Math.max(...samples.map(of));
  const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
  const lines: readonly (readonly [what: string, seen: string, isLeak?: boolean])[] = [
    ['calls made', String(calls.made)],
    ['calls settled', String(calls.settled), calls.settled !== calls.made],
    ['wrong answers', list(calls.wrong), calls.wrong.length > 0],
    ['executions', String(executions), executions === 0],
    ['executed twice', String(twice), twice > 0],
    ['answered but not executed', String(never), never > 0],
    ['disturbances', tally(disturbances)],
    ['outcomes', tally(calls.outcomes)],
    [
      'heap',
      `${(samples.at(-1)?.heap ?? 0).toFixed(1)} MB, ${heapGrowth.toFixed(2)} MB/h`,
      heapGrowth * hours > memoryNoise,
    ],
    [
      'buffers',
      `${(samples.at(-1)?.external ?? 0).toFixed(1)} MB, ${externalGrowth.toFixed(2)} MB/h`,
      externalGrowth * hours > memoryNoise,
    ],
    [
      'RSS',
      `${Math.min(...rss).toFixed(0)} to ${Math.max(...rss).toFixed(0)} MB, ${hourlyGrowth(samples, 'rss').toFixed(2)} MB/h`,
    ],
    [
      'event-loop delay',
      `p50 ${milliseconds(delays.p50)}, p99 ${milliseconds(delays.p99)}, max ${milliseconds(delays.max)}`,
    ],
    [
      'most at once',
      `${most(({ processes }) => processes)} processes, ${most(({ descriptors }) => descriptors)} file descriptors`,
    ],
    ['processes left', String(after.processes), after.processes > 0],
    ['handles and timers left', list(held), held.length > 0],
    [
      'file descriptors left',
      String(Math.max(0, after.descriptors - before.descriptors)),
      after.descriptors > before.descriptors,
    ],
    [
      'listeners left',
      String(Math.max(0, after.listeners - before.listeners)),
      after.listeners > before.listeners,
    ],
    ['complaints of Node', list(complaints), complaints.length > 0],
  ];
  for (const [what, seen, isLeak = false] of lines) {
    console.log(`${isLeak ? 'LEAK ' : ''}${what}: ${seen}`);
  }
  const leaks = lines.flatMap(([what, , isLeak]) => (isLeak === true ? [what] : []));
  console.log(leaks.length === 0 ? 'The soak saw no leak.' : `The soak saw: ${leaks.join(', ')}.`);
  return leaks;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '0' : items.join('; ');
}

function tally(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
