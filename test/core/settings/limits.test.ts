import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits, maxLimits } from '../../../src/core/settings/limits.ts';
import { parseSettings } from '../../../src/core/settings/parseSettings.ts';

const user = { scope: 'user' } as const;
const workspace = { scope: 'workspace' } as const;
const server = { command: 'x' };

test('only user settings raise limits; a workspace may lower them', () => {
  const rows = [
    { layers: [[user, { ...server, limits: { tools: 2000 } }]], tools: 2000, problems: [] },
    { layers: [[workspace, { ...server, limits: { tools: 20 } }]], tools: 20, problems: [] },
    {
      layers: [[workspace, { ...server, limits: { tools: 2000 } }]],
      tools: defaultLimits.tools,
      problems: ['s.limits.tools'],
    },
    {
      layers: [
        [user, { ...server, limits: { tools: 500 } }],
        [workspace, { limits: { tools: 600, pages: 2 } }],
      ],
      tools: 500,
      problems: ['s.limits.tools'],
    },
  ] as const;
  for (const { layers, tools, problems } of rows) {
    const parsed = parseSettings(
      layers.map(([origin, entry]) => ({ origin, value: { s: entry } })),
    );
    assert.deepEqual(
      [parsed.configurations[0]?.limits.tools, parsed.problems.map(({ where }) => where)],
      [tools, problems],
    );
  }
});

test('a limit beyond its ceiling or below one makes the entry wrong, at its place', () => {
  for (const tools of [0, 1.5, maxLimits.tools + 1, '5']) {
    const { invalid } = parseSettings([
      { origin: user, value: { s: { ...server, limits: { tools } } } },
    ]);
    assert.deepEqual(
      invalid[0]?.problems.map(({ where }) => where),
      ['s.limits.tools'],
    );
  }
});

test('what would loosen approvals counts from user settings only', () => {
  const entry = { ...server, trustAnnotations: true, confirm: 'never' };
  const [fromUser, fromWorkspace] = [user, workspace].map((origin) =>
    parseSettings([{ origin, value: { s: entry } }]),
  );
  assert.deepEqual(
    [fromUser, fromWorkspace].map((parsed) => [
      parsed?.configurations[0]?.confirm,
      parsed?.configurations[0]?.trustAnnotations,
      parsed?.problems.map(({ where }) => where),
    ]),
    [
      ['never', true, []],
      ['always', false, ['s.confirm', 's.trustAnnotations']],
    ],
  );
});
