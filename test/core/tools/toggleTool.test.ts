import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toggleTool, type FilterLayer } from '../../../src/core/tools/toggleTool.ts';
import { createToolFilter } from '../../../src/core/tools/toolFilter.ts';

const user = { scope: 'user' } as const;
const workspace = { scope: 'workspace' } as const;
type Lists = Omit<FilterLayer, 'origin'>;

const cases: readonly (readonly [
  what: string,
  layers: readonly FilterLayer[],
  isWanted: boolean,
  expected: readonly (Lists & { origin: FilterLayer['origin'] })[] | RegExp,
])[] = [
  ['off without lists', [{ origin: user }], false, [{ origin: user, deny: ['echo'] }]],
  [
    'off beside others',
    [{ origin: user, deny: ['x'] }],
    false,
    [{ origin: user, deny: ['x', 'echo'] }],
  ],
  [
    'off where an allowlist names it',
    [{ origin: user, allow: ['echo', 'add'] }],
    false,
    [{ origin: user, allow: ['add'] }],
  ],
  [
    'off where it is all the allowlist has: an empty list is no place to come back from',
    [{ origin: user, allow: ['echo'] }],
    false,
    [{ origin: user, deny: ['echo'] }],
  ],
  [
    'off where a glob allows it too',
    [{ origin: user, allow: ['echo', 'e*'] }],
    false,
    [{ origin: user, deny: ['echo'] }],
  ],
  ['on again', [{ origin: user, deny: ['x', 'echo'] }], true, [{ origin: user, deny: ['x'] }]],
  [
    'on with an allowlist',
    [{ origin: user, allow: ['add'], deny: ['echo'] }],
    true,
    [{ origin: user, deny: [], allow: ['add', 'echo'] }],
  ],
  [
    'on against a narrower allowlist',
    [{ origin: user }, { origin: workspace, allow: ['add'] }],
    true,
    [{ origin: workspace, allow: ['add', 'echo'] }],
  ],
  [
    'on against a glob',
    [{ origin: user }, { origin: workspace, deny: ['e*'] }],
    true,
    /"e\*" in "deny" of your workspace settings/,
  ],
  ['on where it is on', [{ origin: user }], true, []],
];
for (const [what, layers, isWanted, expected] of cases) {
  test(what, () => {
    const edits = toggleTool(layers, 'echo', isWanted);
    if (expected instanceof RegExp)
      assert.match(JSON.stringify(edits).replaceAll('\\', ''), expected);
    else assert.deepEqual(edits, expected);
  });
}

for (const name of ['a*b', '[click](x)', 'files/write', '!not', 'a\\b', '{x,y}', 'a?']) {
  test(`a name that looks like a pattern is met exactly: ${name}`, () => {
    const edits = toggleTool([{ origin: user }], name, false);
    assert.ok(typeof edits !== 'string');
    const deny = edits[0]?.deny ?? [];
    const filter = createToolFilter({ allow: ['*'], deny });
    assert.equal(filter.check(name).isAllowed, false);
    for (const other of ['aXb', 'c', 'x', 'not', 'ab', 'y', 'files']) {
      assert.equal(filter.check(other).isAllowed, true, other);
    }
    assert.deepEqual(toggleTool([{ origin: user, deny }], name, true), [
      { origin: user, deny: [] },
    ]);
  });
}
