import assert from 'node:assert/strict';
import { assertFailure, textOf, timed, type Fault } from './fault.ts';

/** Where in a message of a tool call something can be nested 100,000 deep. */
const places = ['structuredContent', 'meta', 'content', 'result', 'text', 'messages before'];

/** Messages as no server should write them, and many of them at once. */
export const messageFaults: readonly Fault[] = [
  {
    id: 'R27b',
    injected: '10,000 calls, 500 at once, answered in another order',
    right: 'each gets its own answer',
    isSlow: true,
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const [milliseconds] = await timed(async () => {
        for (let round = 0; round < 20; round++) {
          const all = Array.from({ length: 500 }, (_, number) => ({
            number: round * 500 + number,
            after: (number * 37) % 100,
          }));
          const outcomes = await Promise.all(all.map((args) => rig.call('late', args)));
          assert.deepEqual(
            outcomes.map(textOf),
            all.map((args) => JSON.stringify(args)),
          );
        }
      });
      return milliseconds;
    },
  },
  {
    id: 'R28b',
    injected: '20 × 86 messages of no known form, in any order, before the answers',
    right: 'each call gets its answer, the process is the same',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('oddMessages'));
      const [milliseconds] = await timed(async () => {
        for (let seed = 0; seed < 20; seed++) await rig.assertUsable('oddities', { seed });
      });
      assert.equal(rig.all.pid('s'), pid);
      return milliseconds;
    },
  },
  {
    id: 'R48b',
    injected: '200 answers in pieces cut anywhere, with byte order mark and CR LF',
    right: 'each is read as if it came whole',
    inject: async (rig) => {
      await rig.run(rig.launch('oddMessages'));
      const [milliseconds] = await timed(async () => {
        for (let seed = 0; seed < 200; seed++) {
          await rig.assertUsable('pieces', { seed, text: 'naïve 🎉 日本語' });
        }
      });
      return milliseconds;
    },
  },
  {
    id: 'R49',
    injected: 'JSON nested 100,000 deep, in results, errors, notifications and requests',
    right: 'the model reads something, the next call works',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('oddMessages'));
      let longest = 0;
      for (const where of places) {
        const [milliseconds, outcome] = await timed(() => rig.call('deep', { where }));
        assert.ok(textOf(outcome).length > 0, where);
        await rig.assertUsable();
        longest = Math.max(longest, milliseconds);
      }
      for (const where of ['error', 'message of error']) {
        assertFailure(await rig.call('deep', { where }), 'protocol', /"deep"/);
        await rig.assertUsable();
      }
      assert.equal(rig.all.pid('s'), pid);
      return longest;
    },
  },
  {
    id: 'R49b',
    injected: 'the definition of a tool is nested 100,000 deep',
    right: 'it costs that tool at most; its sibling is usable',
    inject: async (rig) => {
      const [milliseconds] = await timed(() => rig.run(rig.launch('oddMessages', 'deep')));
      assert.ok(rig.all.toolNames('s')?.includes('echo'));
      await rig.assertUsable();
      return milliseconds;
    },
  },
];
