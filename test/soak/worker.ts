// node --expose-gc worker.ts MINUTES SERVERS: the process of the soak. Prints what it saw; the exit code is 1 when that includes a leak.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage } from '../../src/base/errors.ts';
import { eventually } from '../support/eventually.ts';
import { report } from './report.ts';
import { Sampler, sampleOf } from './samples.ts';
import { Soak } from './soak.ts';

const minutes = Number(process.argv[2]);
const servers = Number(process.argv[3]);
const duration = minutes * 60_000;
/** Of the duration, the part in which caches fill and code is compiled. */
const warmUp = duration / 5;

const complaints: string[] = [];
process.on('warning', ({ name, message }) => complaints.push(`${name}: ${message}`));
process.on('unhandledRejection', (error) => complaints.push(`unhandled: ${errorMessage(error)}`));
process.on('uncaughtException', (error) => complaints.push(`uncaught: ${errorMessage(error)}`));

// What Node opens once and keeps is open from here on.
const rehearsal = new Soak(0);
await rehearsal.start(3);
await rehearsal.end();

const soak = new Soak(1);
const before = sampleOf(soak.mark);
await soak.start(servers);
console.log(`${servers} servers are ready; ${minutes} minutes begin.`);

const sampler = new Sampler(soak.mark);
const beganAt = performance.now();
const isOver = (time: number): boolean => performance.now() - beganAt > time;
let isWarm = false;
let saidAt = 0;
while (!isOver(duration)) {
  await pause(Math.min(5000, duration / 30));
  sampler.take();
  soak.forgetLog();
  if (!isWarm && isOver(warmUp)) {
    isWarm = true;
    sampler.warm();
    sampler.take();
  }
  if (performance.now() - saidAt < 60_000) continue;
  saidAt = performance.now();
  const { rss, heap, processes } = sampler.samples.at(-1) ?? before;
  console.log(
    `${((saidAt - beganAt) / 60_000).toFixed(1)} min: ${soak.calls.settled} calls, RSS ${rss.toFixed(0)} MB, heap ${heap.toFixed(1)} MB, ${processes} processes`,
  );
}
const { samples, delays } = sampler;
sampler[Symbol.dispose]();
await soak.end();

/** Connections that are kept open for further use, and what is only waited for in the background, end by themselves. */
let after = sampleOf(soak.mark);
await eventually(
  'everything is released',
  () => {
    after = sampleOf(soak.mark);
    const held = [...after.resources].some(
      ([type, count]) => count > (before.resources.get(type) ?? 0),
    );
    return !held && after.processes === 0 && after.descriptors <= before.descriptors;
  },
  10_000,
).catch(() => undefined);

const leaks = report({ soak, samples, delays, before, after, complaints });
process.exitCode = leaks.length === 0 ? 0 : 1;
