import assert from 'node:assert/strict';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonValue } from '../../src/base/json.ts';
import { parseSettings } from '../../src/core/settings/parseSettings.ts';
import { Random } from '../support/random.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { assertFailure, timed, type Fault, type Rig } from './fault.ts';

const names = [
  ...['command', 'args', 'cwd', 'env', 'envFile', 'type', 'url', 'headers', 'enabled', 'start'],
  ...['prefix', 'allow', 'deny', 'confirm', 'expose', 'timeouts', 'limits', 'rename', 'pin'],
  ...['call', 'connect', 'total', 'tools', 'protocol', 'priority', '__proto__', 'constructor', ''],
] as [string, ...string[]];
const scalars: readonly [JsonValue, ...JsonValue[]] = [
  ...[null, true, false, 0, -1, 1e308, 0.5, '', 'node', 'http', 'https://h/', '${env:X}'],
  ...['${', '*', '[', '\0', '\ud83d', 'x'.repeat(10_000), 'auto', 'always', 'stdio'],
] as [JsonValue, ...JsonValue[]];

/** Any JSON value, made of what stands in settings. */
function anyValue(random: Random, depth: number): JsonValue {
  const kind = random.below(depth > 3 ? 1 : 4);
  if (kind < 2) return random.pick(scalars);
  const members = Array.from({ length: random.below(6) }, () => anyValue(random, depth + 1));
  if (kind === 2) return members;
  return Object.fromEntries(members.map((member) => [random.pick(names), member]));
}

const orders = ['start', 'stop', 'restart', 'refresh', 'call', 'edit', 'remove', 'kill'] as const;

/** One order to the server `s`, not waited for. */
function order(rig: Rig, random: Random, what: (typeof orders)[number]): void {
  const { host } = rig.all;
  if (what === 'call') void rig.call('echo');
  else if (what === 'edit') rig.configure({ s: rig.launch('faulty', `edit${random.below(3)}`) });
  else if (what === 'remove') rig.configure({});
  else if (what === 'kill') {
    const pid = rig.all.pid('s');
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } else void host[what]('user/s');
}

/** Gives so many orders at any moments; never may two processes run at once, and afterwards all must be well. */
async function race(rig: Rig, seed: number, count: number): Promise<number> {
  const random = new Random(seed);
  let most = 0;
  rig.configure({ s: rig.launch('faulty') });
  for (let number = 0; number < count; number++) {
    order(rig, random, random.pick(orders));
    await pause(random.below(60));
    most = Math.max(most, rig.mark.running().length);
  }
  const [milliseconds] = await timed(async () => {
    rig.configure({ s: rig.launch('faulty', 'last') });
    void rig.all.host.restart('user/s');
    await rig.all.ready('s');
    await rig.assertUsable();
  });
  assert.ok(most <= 1, `${most} processes at once, seed ${seed}`);
  assert.deepEqual(rig.mark.running(), [rig.all.pid('s')], `seed ${seed}`);
  return milliseconds;
}

/** Starts and ends whole hosts, as windows do that are loaded again and again. Gives the longest end. */
async function reload(rig: Rig, cycles: number): Promise<number> {
  const random = new Random(31);
  let longest = 0;
  for (let cycle = 0; cycle < cycles; cycle++) {
    const window = new TestSupervisor();
    const programs = ['echo', 'leavesChild', 'neverAnswers'];
    window.host.update(programs.map((program) => wantedOf(program, rig.launch(program))));
    await pause(random.below(400));
    const [milliseconds] = await timed(async () => {
      await window.host.stopAll();
      window.host.dispose();
    });
    // What was killed last takes a moment to be gone.
    await rig.mark.assertGone();
    longest = Math.max(longest, milliseconds);
  }
  // The editor waits at most 5 s.
  assert.ok(longest < 3500, `${longest} ms`);
  return longest;
}

/** What happens to the host of all servers: its files, its settings, its windows, and many orders at once. */
export const stateFaults: readonly Fault[] = [
  {
    id: 'R31',
    injected: 'the window is loaded again 3 times, at any moment, with 3 servers',
    right: 'no process stays, no end takes longer than the editor waits',
    inject: (rig) => reload(rig, 3),
  },
  {
    id: 'R31b',
    injected: 'the same, 30 times',
    right: 'the same',
    isSlow: true,
    inject: (rig) => reload(rig, 30),
  },
  {
    id: 'R36',
    injected: '40 orders at any moment: start, stop, restart, refresh, call, edit, remove, kill',
    right: 'never two processes at once; one that works in the end',
    inject: (rig) => race(rig, 36, 40),
  },
  {
    id: 'R36b',
    injected: '500 such orders',
    right: 'the same',
    isSlow: true,
    inject: (rig) => race(rig, 37, 500),
  },
  {
    id: 'R42',
    injected: '10,000 settings of any form beside a sound one',
    right: 'nothing is thrown, the sound one is always read',
    inject: async () => {
      const random = new Random(42);
      const [milliseconds] = await timed(async () => {
        for (let round = 0; round < 10_000; round++) {
          const entry = anyValue(random, 0);
          const value = { [random.pick(names)]: entry, sound: { command: 'node' } };
          const { configurations } = parseSettings([
            { origin: { scope: 'user' }, value },
            { origin: { scope: 'workspace' }, value: anyValue(random, 0) },
          ]);
          assert.ok(configurations.some(({ key }) => key === 'sound'));
        }
      });
      return milliseconds;
    },
  },
  {
    id: 'R42b',
    injected: 'the stored lists of a server are of any form (200 forms)',
    right: 'the server starts, and what it lists replaces them',
    inject: async (rig) => {
      const random = new Random(43);
      const { cache, listCache } = rig.all;
      const [milliseconds] = await timed(async () => {
        for (let round = 0; round < 200; round++) {
          cache.set('s', anyValue(random, 0));
          listCache.set('s', { resources: anyValue(random, 0), prompts: anyValue(random, 0) });
          rig.configure({ s: rig.launch('echo') }, { start: 'manual' });
          rig.configure({});
        }
        cache.set('s', anyValue(random, 0));
        await rig.run(rig.launch('echo'));
      });
      assert.ok(rig.all.toolNames('s')?.includes('echo'));
      return milliseconds;
    },
  },
  {
    id: 'R51',
    injected: 'two windows have the same server; it is stopped in one, then that window is closed',
    right: 'each has a process of its own, and the other goes on',
    inject: async (rig) => {
      const pid = await rig.run(rig.launch('faulty'));
      const other = new TestSupervisor();
      other.host.update([wantedOf('s', rig.launch('faulty'))]);
      await other.ready('s');
      assert.notEqual(other.pid('s'), pid);
      const [milliseconds] = await timed(async () => {
        await other.host.stop('user/s');
        other.host.dispose();
      });
      await rig.assertUsable();
      assert.deepEqual(rig.mark.running(), [pid]);
      return milliseconds;
    },
  },
  {
    id: 'R53b',
    injected: 'the settings demand a revision that the server does not speak',
    right: 'the start fails and says so',
    inject: async (rig) => {
      let longest = 0;
      for (const [program, protocol] of [
        ['echo', 'modern'],
        ['modernStdio', 'legacy'],
      ] as const) {
        const [milliseconds, outcome] = await timed(() => {
          rig.configure({ s: rig.launch(program) }, { protocol });
          return rig.call('echo');
        });
        assertFailure(outcome, 'stopped', /protocol/);
        rig.configure({});
        longest = Math.max(longest, milliseconds);
      }
      return longest;
    },
  },
];
