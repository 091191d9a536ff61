import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { assertFailure, textOf, timed, type Fault } from './fault.ts';

/** What happens around calls and starts: limits, changes by the person, neighbours, versions. */
export const callFaults: readonly Fault[] = [
  {
    id: 'R06',
    injected: 'a call tells progress for ever (limits 1 s of silence, 2 s in all)',
    right: 'it ends at the limit for the whole call',
    inject: async (rig) => {
      const timeouts = { connect: 10, call: 1, total: 2 };
      await rig.run(rig.launch('slow'), { timeouts });
      const args = { steps: 1000, interval: 100 };
      const [milliseconds, outcome] = await timed(() => rig.call('progress', args));
      assertFailure(outcome, 'timedOut', /within 2 s.*timeouts\.total/s);
      return milliseconds;
    },
  },
  {
    id: 'R29',
    injected: 'the clock of the machine jumps by a day, forth and back, during a call',
    right: 'the call is not ended by it',
    inject: async (rig) => {
      await rig.run(rig.launch('slow'));
      const { now } = Date;
      const call = timed(() => rig.call('progress', { steps: 6, interval: 100 }));
      try {
        for (const days of [1, -1]) {
          await pause(150);
          Date.now = () => now() + days * 86_400_000;
        }
        const [milliseconds, outcome] = await call;
        assert.equal(textOf(outcome), 'took 6 steps');
        return milliseconds;
      } finally {
        Date.now = now;
      }
    },
  },
  {
    id: 'R34',
    injected: 'the launch of a server is changed during a call',
    right: 'the call ends with the reason, the new process runs alone',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('faulty'));
      const call = rig.call('hang');
      await rig.assertUsable();
      const [milliseconds, outcome] = await timed(() => {
        rig.configure({ s: rig.launch('faulty', 'changed') });
        return call;
      });
      assertFailure(outcome, 'connectionLost', /unknown.*not repeated/s);
      await rig.all.ready('s');
      assert.deepEqual(rig.mark.running(), [rig.all.pid('s')]);
      assert.notEqual(rig.all.pid('s'), pid);
      return milliseconds;
    },
  },
  {
    id: 'R46',
    injected: 'the person cancels a call',
    right: 'it ends at once, and the server is told',
    inject: async (rig) => {
      await rig.run(rig.launch('slow'));
      const abort = new AbortController();
      const call = rig.all.host.callTool({
        ...{ serverId: 'user/s', tool: 'silent', arguments: {} },
        signal: abort.signal,
      });
      await pause(100);
      const [milliseconds] = await timed(async () => {
        abort.abort();
        await assert.rejects(call, { name: 'AbortError' });
      });
      await eventually('the server is told', async () => {
        const { all } = rig;
        const answer = await all.host.callTool({
          ...{ serverId: 'user/s', tool: 'cancelled', arguments: {} },
          signal: new AbortController().signal,
        });
        return answer.kind === 'answer' && JSON.stringify(answer.result).includes('requestId');
      });
      return milliseconds;
    },
  },
  {
    id: 'R47',
    injected: 'of 8 servers one hangs in its start and one ends in it',
    right: 'the other 6 are ready meanwhile',
    inject: async (rig) => {
      const sound = Array.from({ length: 6 }, (_, number) => `sound${number}`);
      const [milliseconds] = await timed(async () => {
        rig.configure({
          hangs: rig.launch('neverAnswers'),
          ends: rig.launch('crashOnStart'),
          ...Object.fromEntries(sound.map((key) => [key, rig.launch('echo')])),
        });
        await rig.all.ready(...sound);
      });
      assert.equal(rig.all.kind('hangs'), 'starting');
      return milliseconds;
    },
  },
  {
    id: 'R53',
    injected: 'a server that speaks 2024-11-05 only, and one that speaks 2026-07-28 only',
    right: 'both run with their own version',
    inject: async (rig) => {
      const [milliseconds] = await timed(async () => {
        rig.configure({ old: rig.launch('faulty', 'old'), recent: rig.launch('modernStdio') });
        await rig.all.ready('old', 'recent');
      });
      const versions = ['old', 'recent'].map((key) => {
        const state = rig.all.server(key)?.state;
        return state?.kind === 'running' && state.protocolVersion;
      });
      assert.deepEqual(versions, ['2024-11-05', '2026-07-28']);
      return milliseconds;
    },
  },
];
