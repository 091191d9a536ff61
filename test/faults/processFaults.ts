import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { StdioLaunch } from '../../src/core/settings/serverConfiguration.ts';
import { eventually } from '../support/eventually.ts';
import { HostProcess } from '../support/hostProcess.ts';
import { isRunning } from '../support/processes.ts';
import { assertFailure, impatient, timed, type Fault, type Rig } from './fault.ts';

/** Waits until the server `s` is in error, and gives its state. */
function failed(rig: Rig) {
  return eventually('an error', () => {
    const state = rig.all.server('s')?.state;
    return state?.kind === 'error' && state;
  });
}

/** How the processes of local servers end, and when they do not. */
export const processFaults: readonly Fault[] = [
  {
    id: 'R01',
    injected: 'the process ends in the middle of a call',
    right: 'the call fails at once with exit code and last words; the neighbour goes on',
    inject: async (rig) => {
      const neighbour = rig.launch('echo');
      rig.configure({ s: rig.launch('crashMidCall'), neighbour });
      await rig.all.ready('s', 'neighbour');
      const pid = rig.all.pid('neighbour');
      const [milliseconds, outcome] = await timed(() => rig.call('crash'));
      assertFailure(outcome, 'connectionLost', /exit code 7.*segmentation.*unknown.*not repeated/s);
      assert.equal((await rig.all.call('neighbour', 'echo')).kind, 'result');
      assert.equal(rig.all.pid('neighbour'), pid);
      return milliseconds;
    },
  },
  {
    id: 'R02',
    injected: 'the process is killed (SIGSEGV, SIGKILL) in the middle of a call',
    right: 'the call fails at once and names the signal',
    inject: async (rig) => {
      let longest = 0;
      for (const signal of ['SIGSEGV', 'SIGKILL'] as const) {
        const pid = await rig.run(rig.launch('faulty'));
        const call = rig.call('hang');
        await rig.assertUsable();
        const [milliseconds, outcome] = await timed(() => {
          process.kill(pid, signal);
          return call;
        });
        assertFailure(outcome, 'connectionLost', new RegExp(`signal ${signal}.*unknown`, 's'));
        longest = Math.max(longest, milliseconds);
        rig.configure({});
      }
      return longest;
    },
  },
  {
    id: 'R03',
    injected: '`initialize` is never answered (limit 1 s)',
    right: 'the start fails at the limit, the process is gone',
    inject: async (rig) => {
      const timeouts = { connect: 1, call: 1, total: 1 };
      const [milliseconds, state] = await timed(() => {
        rig.configure({ s: rig.launch('neverAnswers') }, { timeouts });
        return failed(rig);
      });
      assert.equal(state.code, 'timedOut');
      assert.deepEqual(rig.mark.running(), []);
      return milliseconds;
    },
  },
  {
    id: 'R10',
    injected: 'the process is stopped (SIGSTOP) and reads nothing; 24 calls of 1 MiB each',
    right: 'the first 15 end at their limit of 1 s, the others at once and unsent',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('faulty'), impatient);
      process.kill(pid, 'SIGSTOP');
      const args = { text: 'x'.repeat(1024 * 1024) };
      const calls = Array.from({ length: 24 }, () => rig.call('echo', args));
      const [milliseconds, refused] = await timed(() => Promise.all(calls.slice(15)));
      for (const outcome of refused) {
        assertFailure(outcome, 'connectionLost', /does not read its input: 15 MiB wait/);
      }
      for (const outcome of await Promise.all(calls.slice(0, 15))) {
        assertFailure(outcome, 'timedOut', /within 1 s/);
      }
      process.kill(pid, 'SIGCONT');
      await eventually('calls work again', async () => (await rig.call('echo')).kind === 'result');
      return milliseconds;
    },
  },
  {
    id: 'R11',
    injected: 'the process is stopped for longer than a call may take, and goes on then',
    right: 'the call fails once; its late answer is not taken for that of the next call',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('faulty'), impatient);
      process.kill(pid, 'SIGSTOP');
      assertFailure(await rig.call('echo', { number: 1 }), 'timedOut', /within 1 s/);
      process.kill(pid, 'SIGCONT');
      const [milliseconds] = await timed(() => rig.assertUsable('echo', { number: 2 }));
      assert.equal(rig.all.pid('s'), pid);
      return milliseconds;
    },
  },
  {
    id: 'R32',
    injected:
      'the extension host is killed (SIGKILL); servers and their children ignore all but that',
    right: 'none of them is left after 3 s at most, nor is what watched over them',
    inject: async () => {
      await using host = new HostProcess(['ignoresSigterm', 'leavesChild', 'echo']);
      await host.ready(6);
      const guards = host.guards;
      const milliseconds = await host.kill();
      assert.ok(milliseconds < 3000, `${milliseconds} ms`);
      await eventually('the guard is gone', () => guards.length === 1 && !guards.some(isRunning));
      return milliseconds;
    },
  },
  {
    id: 'R33',
    injected: 'the server leaves a child of its own behind',
    right: 'stopping it ends both',
    inject: async (rig) => {
      await rig.run(rig.launch('leavesChild'));
      await eventually('the child', () => rig.mark.running().length === 2);
      const [milliseconds] = await timed(async () => {
        await rig.all.host.stop('user/s');
        await rig.mark.assertGone();
      });
      return milliseconds;
    },
  },
  {
    id: 'R33b',
    injected: 'server and child ignore the end of input and SIGTERM',
    right: 'stopping kills both',
    isSlow: true,
    inject: async (rig) => {
      await rig.run(rig.launch('ignoresSigterm'));
      const [milliseconds] = await timed(async () => {
        await rig.all.host.stop('user/s');
        await rig.mark.assertGone();
      });
      return milliseconds;
    },
  },
  {
    id: 'R35',
    injected: 'everything is stopped at 10 moments of a start',
    right: 'no process stays, none is started later',
    inject: async (rig) => {
      let longest = 0;
      for (let round = 0; round < 10; round++) {
        rig.configure({ s: rig.launch('faulty') });
        await pause(round * 12);
        const [milliseconds] = await timed(() => rig.all.host.stopAll());
        longest = Math.max(longest, milliseconds);
        assert.deepEqual(rig.mark.running(), []);
        rig.configure({});
      }
      await pause(100);
      assert.deepEqual(rig.mark.running(), []);
      return longest;
    },
  },
  {
    id: 'R37',
    injected: 'the program ends whenever it is started (watched for 5 s)',
    right: 'it is started 2 or 3 times, not more often',
    isSlow: true,
    inject: async (rig) => {
      rig.configure({ s: rig.launch('crashOnStart') });
      await pause(5000);
      const starts = rig.all.log.lines.filter((line) => line.endsWith(' starting')).length;
      assert.ok(starts >= 2 && starts <= 3, `${starts} starts`);
      return 5000;
    },
  },
  {
    id: 'R38',
    injected: 'the program is missing, or may not be executed',
    right: 'the error names it, and it is not tried again',
    inject: async (rig) => {
      const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-faults-'));
      try {
        const file = join(folder, 'program');
        await writeFile(file, '', { mode: 0o600 });
        let longest = 0;
        const { env } = rig.mark;
        for (const command of [join(folder, 'missing'), file]) {
          const launch: StdioLaunch = { type: 'stdio', command, args: [], env };
          const [milliseconds, state] = await timed(() => {
            rig.configure({ s: launch });
            return failed(rig);
          });
          assert.equal(state.code, 'spawnFailed');
          assert.ok(state.message.includes(command) && state.retryAt === undefined, state.message);
          longest = Math.max(longest, milliseconds);
          rig.configure({});
        }
        return longest;
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
  {
    id: 'R39',
    injected: 'no file can be opened any more (RLIMIT_NOFILE) when a second server starts',
    right: 'it is told so; the first goes on; the second can be started later',
    inject: async () => {
      await using host = new HostProcess(['echo']);
      await host.ready(2);
      const limit = (files: number): void => {
        const options = ['--pid', String(host.pid), `--nofile=${files}:4096`];
        execFileSync('/usr/bin/prlimit', options);
      };
      limit(20);
      const [milliseconds, answer] = await timed(() => host.order('start echo'));
      assert.match(answer, /could not be run: the editor has too many files open \(EMFILE\)/);
      assert.match(await host.order('ping'), /^answered by 1$/);
      limit(4096);
      assert.equal(await host.order('start echo'), 'done');
      assert.match(await host.order('ping'), /^answered by 2$/);
      return milliseconds;
    },
  },
  {
    id: 'R50',
    injected: 'the process dies while a call of 4 MiB is written to it',
    right: 'the call fails; nothing is thrown elsewhere',
    inject: async (rig) => {
      await rig.run(rig.launch('faulty'));
      const args = { text: 'x'.repeat(4 * 1024 * 1024) };
      const [milliseconds, outcome] = await timed(() => rig.call('die', args));
      assertFailure(outcome, 'connectionLost', /unknown.*not repeated/s);
      return milliseconds;
    },
  },
  {
    id: 'R52',
    injected: 'a killed server comes back with other tools',
    right: 'it is started again by itself and its new tools replace the old',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('faulty'));
      assert.ok(rig.all.toolNames('s')?.includes(`process_${pid}`));
      const [milliseconds] = await timed(async () => {
        process.kill(pid, 'SIGKILL');
        await eventually('other tools', () => {
          const names = rig.all.toolNames('s') ?? [];
          const isNew = names.some((name) => name.startsWith('process_'));
          return isNew && !names.includes(`process_${pid}`);
        });
      });
      return milliseconds;
    },
  },
];
