import assert from 'node:assert/strict';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { assertFailure, textOf, timed, type Fault, type Rig } from './fault.ts';

/** Lines of the log that a person sees who did not ask for more. */
function shownLines(rig: Rig): number {
  return rig.all.log.lines.filter((line) => !/^(trace|debug):/.test(line)).length;
}

/** Gives a function that tells the milliseconds of computing of this process since now. */
function processorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

async function counts(rig: Rig): Promise<{ pages: number; reads: number }> {
  return JSON.parse(textOf(await rig.call('counts'))) as { pages: number; reads: number };
}

/** What local servers write: too much, too large, at the wrong time. */
export const outputFaults: readonly Fault[] = [
  {
    id: 'R07',
    injected: '5,000 lines on stdout that are no messages, during a call',
    right: 'they are skipped, at most 250 are logged, the call is answered',
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const [milliseconds, outcome] = await timed(() => rig.call('junk', { lines: 5000 }));
      assert.equal(textOf(outcome), 'after the junk');
      assert.ok(shownLines(rig) <= 250, `${shownLines(rig)} lines`);
      return milliseconds;
    },
  },
  {
    id: 'R07b',
    injected: 'lines that are no messages on stdout without end, as fast as can be',
    right:
      'the call fails and says why, at most 80,000 characters are logged, half a second of computing at most, the process is gone',
    isSlow: true,
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const used = processorTime();
      const [milliseconds, outcome] = await timed(() => rig.call('floodStdout'));
      await rig.all.host.stop('user/s');
      assert.ok(used() < 500, `${used()} ms`);
      assertFailure(
        outcome,
        'connectionLost',
        /wrote more than 10\d+ (lines|bytes) to stdout within 10 s/,
      );
      const logged = rig.all.log.lines.filter((line) => line.includes('stdout: ')).join('\n');
      assert.ok(logged.length <= 80_000, `${logged.length} characters`);
      await rig.mark.assertGone();
      return milliseconds;
    },
  },
  {
    id: 'R08',
    injected: 'an answer of 40 MiB in one line',
    right: 'the call fails with the limit; the same process answers the next call',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('faulty'));
      const [milliseconds, outcome] = await timed(() => rig.call('huge', { mebibytes: 40 }));
      assertFailure(outcome, 'connectionLost', /more than 33554432 bytes/);
      await rig.assertUsable();
      assert.equal(rig.all.pid('s'), pid);
      return milliseconds;
    },
  },
  {
    id: 'R09',
    injected: '10,000 lines on stderr before the first answer',
    right: 'they are drained, at most 250 are logged, the server starts',
    inject: async (rig) => {
      const [milliseconds] = await timed(() => rig.run(rig.launch('floodsStderr')));
      assert.deepEqual(rig.all.toolNames('s'), ['quiet']);
      assert.ok(shownLines(rig) <= 250, `${shownLines(rig)} lines`);
      return milliseconds;
    },
  },
  {
    id: 'R09b',
    injected: 'text on stderr without end, as fast as can be, for 2 s',
    right:
      'calls are answered meanwhile, at most 100,000 characters are logged, the bridge is never busy for long',
    isSlow: true,
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      await rig.call('floodStderr');
      const used = processorTime();
      let longest = 0;
      for (const endsAt = performance.now() + 2000; performance.now() < endsAt;) {
        const [milliseconds] = await timed(() => rig.assertUsable());
        longest = Math.max(longest, milliseconds);
        await pause(50);
      }
      const logged = rig.all.log.lines.filter((line) => line.includes('stderr: ')).join('\n');
      assert.ok(logged.length <= 100_000, `${logged.length} characters`);
      assert.ok(used() < 800, `${used()} ms`);
      return longest;
    },
  },
  {
    id: 'R22',
    injected: '10,000 × `list_changed` at once, though nothing changed',
    right: 'the list is read at most 2 more times',
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const before = (await counts(rig)).reads;
      const [milliseconds] = await timed(() => rig.call('storm'));
      const more = async (): Promise<number> => (await counts(rig)).reads - before;
      await eventually('the list is read', async () => (await more()) >= 1);
      await pause(1000);
      assert.ok((await more()) <= 2, `${await more()} readings`);
      return milliseconds;
    },
  },
  {
    id: 'R23',
    injected: '`list_changed` every 100 ms without end, one real change at the beginning',
    right: 'the change is seen while it goes on, and the list is read at most 5 more times in 4 s',
    isSlow: true,
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const before = (await counts(rig)).reads;
      await rig.call('nag');
      const [milliseconds] = await timed(() =>
        eventually('the change', () => rig.all.toolNames('s')?.includes('version_1'), 7000),
      );
      await pause(Math.max(0, 4000 - milliseconds));
      const more = (await counts(rig)).reads - before;
      assert.ok(more <= 5, `${more} readings`);
      return milliseconds;
    },
  },
  {
    id: 'R24',
    injected: '5,000 tools',
    right: 'the first 1,000 are kept, and it is said so',
    inject: async (rig) => {
      const [milliseconds] = await timed(() => rig.run(rig.launch('faulty', 'many')));
      assert.equal(rig.all.toolNames('s')?.length, 1000);
      assert.match(rig.all.server('s')?.tools?.problems[0]?.message ?? '', /first 1000 tools/);
      return milliseconds;
    },
  },
  {
    id: 'R25',
    injected: 'the list of tools gives the same cursor for ever',
    right: 'two pages are read, their tools kept, and it is said so',
    inject: async (rig) => {
      const [milliseconds] = await timed(() => rig.run(rig.launch('faulty', 'loop')));
      assert.deepEqual(await counts(rig), { pages: 2, reads: 2 });
      assert.deepEqual(rig.all.toolNames('s'), ['tool_1', 'tool_2']);
      assert.match(rig.all.server('s')?.tools?.problems[0]?.message ?? '', /same cursor twice/);
      return milliseconds;
    },
  },
  {
    id: 'R25b',
    injected: 'the list of tools has another page for ever',
    right: '64 pages are read, their tools kept, and it is said so',
    inject: async (rig) => {
      const [milliseconds] = await timed(() => rig.run(rig.launch('faulty', 'endless')));
      assert.deepEqual(await counts(rig), { pages: 64, reads: 64 });
      assert.equal(rig.all.toolNames('s')?.length, 64);
      assert.match(rig.all.server('s')?.tools?.problems[0]?.message ?? '', /limits\.pages/);
      return milliseconds;
    },
  },
  {
    id: 'R26',
    injected: 'a result of 8 MiB of text',
    right: 'the model gets at most 60,000 characters, none of them half',
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const [milliseconds, outcome] = await timed(() => rig.call('huge', { mebibytes: 8 }));
      const text = textOf(outcome);
      assert.ok(text.length <= 60_000 && text.isWellFormed(), `${text.length} characters`);
      return milliseconds;
    },
  },
  {
    id: 'R27',
    injected: '100 calls at once, answered in another order',
    right: 'each gets its own answer',
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const all = Array.from({ length: 100 }, (_, number) => ({
        number,
        after: (number * 37) % 100,
      }));
      const [milliseconds, outcomes] = await timed(() =>
        Promise.all(all.map((args) => rig.call('late', args))),
      );
      assert.deepEqual(
        outcomes.map(textOf),
        all.map((args) => JSON.stringify(args)),
      );
      return milliseconds;
    },
  },
  {
    id: 'R28',
    injected: 'answers nobody waits for, the id as a text, a second answer',
    right: 'the call gets the first answer of its own; the next call works',
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const [milliseconds] = await timed(() => rig.assertUsable('ids', { mine: true }));
      await rig.assertUsable();
      return milliseconds;
    },
  },
  {
    id: 'R48',
    injected: 'every byte is written alone, inside of characters too',
    right: 'tools and results are whole',
    inject: async (rig) => {
      const [milliseconds] = await timed(() => rig.run(rig.launch('splitUtf8')));
      assert.deepEqual(rig.all.toolNames('s'), ['größe']);
      assert.equal(textOf(await rig.call('größe')), 'naïve 🎉 日本語');
      return milliseconds;
    },
  },
];
