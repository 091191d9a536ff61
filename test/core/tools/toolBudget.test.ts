import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readToolBudget,
  steadyCount,
  toolBudget,
  withinBudget,
} from '../../../src/core/tools/toolBudget.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';
import { Random } from '../../support/random.ts';

const numbered = (server: string, count: number): string[] =>
  Array.from({ length: count }, (_value, index) => `${server}${index}`);

interface Case {
  readonly says: string;
  /** Tools of each server, with its priority and how many of its last tools are pinned. */
  readonly servers: readonly (readonly [tools: number, priority?: number, pinned?: number])[];
  readonly budget: number;
  /** How many tools of each server have a place. */
  readonly kept: readonly number[];
}

const cases: readonly Case[] = [
  { says: 'everything that fits stays', servers: [[10], [20]], budget: 30, kept: [10, 20] },
  {
    says: 'a small server keeps everything, the largest gives up',
    servers: [[300], [10]],
    budget: 30,
    kept: [20, 10],
  },
  {
    says: 'two large ones get the same',
    servers: [[60], [60], [5]],
    budget: 45,
    kept: [20, 20, 5],
  },
  {
    says: 'the first of the settings gets what cannot be divided',
    servers: [[60], [60]],
    budget: 31,
    kept: [16, 15],
  },
  {
    says: 'a higher priority is served first',
    servers: [[60], [60, 1]],
    budget: 70,
    kept: [10, 60],
  },
  {
    says: 'a lower priority gets nothing before the others are full',
    servers: [[3, -1], [60]],
    budget: 50,
    kept: [0, 50],
  },
  {
    says: 'pinned tools come before any priority',
    servers: [
      [60, 0, 5],
      [60, 9],
    ],
    budget: 40,
    kept: [5, 35],
  },
  {
    says: 'more pinned tools than places are divided too',
    servers: [
      [60, 0, 60],
      [60, 0, 2],
    ],
    budget: 10,
    kept: [8, 2],
  },
  { says: 'no place means none', servers: [[3], [4, 5, 4]], budget: 0, kept: [0, 0] },
  {
    says: 'servers without tools take nothing',
    servers: [[0], [9], [0]],
    budget: 5,
    kept: [0, 5, 0],
  },
];

/** The tools of each server that have a place. */
function divided({ servers, budget }: Pick<Case, 'servers' | 'budget'>): string[][] {
  const all = servers.map(([count, priority = 0, pinned = 0], index) => {
    const tools = numbered(`s${index}_`, count);
    const pins = new Set(tools.slice(count - pinned));
    return { priority, tools, isPinned: (tool: string) => pins.has(tool) };
  });
  const kept = withinBudget(all, budget);
  return all.map(({ tools }) => tools.filter((tool) => kept.has(tool)));
}

for (const { says, servers, budget, kept } of cases) {
  test(says, () => {
    const result = divided({ servers, budget });
    assert.deepEqual(
      result.map(({ length }) => length),
      kept,
    );
    // Unpinned: the first of a server; pinned ones are its last here.
    result.forEach((tools, index) => {
      const [count = 0, , pinned = 0] = servers[index] ?? [];
      const all = numbered(`s${index}_`, count);
      const pins = new Set(all.slice(count - pinned));
      const rest = tools.filter((tool) => !pins.has(tool));
      assert.deepEqual(rest, all.slice(0, rest.length));
    });
  });
}

test('one tool more or less moves few places, and never more than the budget are taken', () => {
  const random = new Random(7);
  let moved = 0;
  for (let round = 0; round < 2000; round++) {
    const servers = Array.from({ length: 1 + random.below(6) }, (): [number, number] => [
      random.below(80),
      random.below(2),
    ]);
    const budget = random.below(100);
    const before = new Set(divided({ servers, budget }).flat());
    assert.equal(
      before.size,
      Math.min(
        budget,
        servers.reduce((sum, [count]) => sum + count, 0),
      ),
    );
    const grown = random.below(servers.length);
    const more = servers.map(([count, priority], index): [number, number] => [
      count + (index === grown ? 1 : 0),
      priority,
    ]);
    const after = new Set(divided({ servers: more, budget }).flat());
    const lost = [...before].filter((tool) => !after.has(tool)).length;
    assert.ok(lost <= servers.length, JSON.stringify({ servers, budget, grown }));
    moved += lost;
  }
  assert.ok(moved > 0);
});

test('auto leaves room for what others offer, a number is taken as it is', () => {
  assert.deepEqual(
    [0, 8, 14, 15, 500].map((foreign) => toolBudget('auto', foreign)),
    [30, 22, 16, 16, 16],
  );
  assert.deepEqual([toolBudget(0, 5), toolBudget(128, 500)], [0, 128]);
  assert.deepEqual(
    [0, 64, 128, 129, -1, 1.5, '64', null, undefined, 'auto', {}].map(readToolBudget),
    [0, 64, 128, ...Array.from({ length: 8 }, () => 'auto')],
  );
});

test('a count follows only real changes', () => {
  let count: number | undefined;
  const seen = [10, 12, 8, 13, 12, 11, 15, 40, 39].map(
    (counted) => (count = steadyCount(count, counted)),
  );
  assert.deepEqual(seen, [10, 10, 10, 13, 13, 13, 13, 40, 40]);
});

test('the catalog offers so many tools, and the rest is there for the search', () => {
  const servers = [
    serverOf(
      configurationOf('big', { pin: ['big9*', 'no_such'], deny: ['big0'] }),
      numbered('big', 100),
    ),
    serverOf(configurationOf('small'), numbered('small', 4)),
    serverOf(configurationOf('hidden', { expose: 'search' }), numbered('hidden', 50)),
  ];
  const offered = (budget?: number): string[] =>
    [...buildCatalog(servers, budget).tools.values()]
      .filter(({ availability }) => availability.kind === 'offered')
      .map(({ definition }) => definition.name);
  const catalog = buildCatalog(servers, 20);
  assert.deepEqual(catalog.shortage, { places: 20, wanted: 103 });
  const pinned = numbered('big', 100).filter((name) => name.startsWith('big9'));
  assert.deepEqual(
    new Set(offered(20)),
    new Set([...pinned, ...numbered('small', 4), ...['big1', 'big2', 'big3', 'big4', 'big5']]),
  );
  assert.deepEqual(
    ['big__big50', 'big__big0', 'hidden__hidden1'].map(
      (name) => catalog.tools.get(name)?.availability,
    ),
    [
      { kind: 'search', reason: 'budget' },
      { kind: 'leftOut', reason: 'denied by the pattern "big0"' },
      { kind: 'search' },
    ],
  );
  assert.equal(offered().length, 103);
  assert.equal('shortage' in buildCatalog(servers, 103), false);
  assert.deepEqual(
    buildCatalog(servers, 20).servers.map(({ tools }) =>
      tools.map(({ fingerprint }) => fingerprint),
    ),
    buildCatalog(servers).servers.map(({ tools }) => tools.map(({ fingerprint }) => fingerprint)),
    'a declaration does not depend on the budget',
  );
});
