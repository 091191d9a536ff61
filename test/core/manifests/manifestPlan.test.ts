import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  declaredTools,
  planManifests,
  type ManifestPlanInput,
} from '../../../src/core/manifests/manifestPlan.ts';
import type { InstalledManifest, ToolManifest } from '../../../src/core/manifests/toolManifest.ts';

const toolsOf = (tools: Readonly<Record<string, string>>) => new Map(Object.entries(tools));

const wanted = (
  extensionId: string,
  digest: string,
  tools: Readonly<Record<string, string>> = {},
  pending: readonly string[] = [],
): ToolManifest => ({
  ...{ extensionId, digest, packageJson: {} },
  ...{ tools: toolsOf(tools), pending: new Set(pending) },
});

const installed = (
  extensionId: string,
  digest: string,
  tools: Readonly<Record<string, string>> = {},
  owner = 'me',
): InstalledManifest => ({ extensionId, digest, owner, tools: toolsOf(tools) });

interface Case extends Partial<Omit<ManifestPlanInput, 'configured' | 'expired' | 'mine'>> {
  /** Default: the ids of what is wanted. */
  readonly configured?: readonly string[];
  readonly expired?: readonly string[];
  readonly mine?: Readonly<Record<string, string>>;
  /** Ids to remove, then ids to install. */
  readonly plan: readonly [uninstall: readonly string[], install: readonly string[]];
}

const cases: Readonly<Record<string, Case>> = {
  'what is new is installed, in any window': {
    wanted: [wanted('a', '1')],
    mayReplace: false,
    plan: [[], ['a']],
  },
  'what is there as wanted is left alone': {
    installed: [installed('a', '1')],
    wanted: [wanted('a', '1')],
    plan: [[], []],
  },
  'what changed is removed first and installed then': {
    installed: [installed('a', '1')],
    wanted: [wanted('a', '2')],
    plan: [['a'], ['a']],
  },
  'an older declaration of what waits for a review stays': {
    installed: [installed('a', '1', { x: '1', y: '1' })],
    wanted: [wanted('a', '2', { x: '1' }, ['y'])],
    plan: [[], []],
  },
  'but not if another tool has changed too': {
    installed: [installed('a', '1', { x: '1', y: '1' })],
    wanted: [wanted('a', '2', { x: '2' }, ['y'])],
    plan: [['a'], ['a']],
  },
  'and not if another one is gone': {
    installed: [installed('a', '1', { x: '1', y: '1', z: '1' })],
    wanted: [wanted('a', '2', { x: '1' }, ['y'])],
    plan: [['a'], ['a']],
  },
  'what this window installed it may also change without the focus': {
    installed: [installed('a', '1')],
    wanted: [wanted('a', '2')],
    mine: { a: '1' },
    mayReplace: false,
    plan: [['a'], ['a']],
  },
  'what another window installed stays while the person works there': {
    installed: [installed('a', '1')],
    wanted: [wanted('a', '2')],
    mine: { a: '0' },
    mayReplace: false,
    plan: [[], []],
  },
  'what another window removed is not put back while the person works there': {
    wanted: [wanted('a', '1')],
    mine: { a: '1' },
    mayReplace: false,
    plan: [[], []],
  },
  'what another window removed is put back when the person returns': {
    wanted: [wanted('a', '1')],
    mine: { a: '1' },
    plan: [[], ['a']],
  },
  'what belongs to no configured server any more is removed': {
    installed: [installed('a', '1'), installed('b', '1')],
    wanted: [wanted('a', '1')],
    mayReplace: false,
    plan: [['b'], []],
  },
  'what belongs to a server whose tools are not known yet stays': {
    installed: [installed('a', '1')],
    configured: ['a'],
    plan: [[], []],
  },
  'what belongs to another workspace stays, unless nobody has used it for long': {
    installed: [installed('b', '1', {}, 'you'), installed('c', '1', {}, 'you')],
    expired: ['c'],
    plan: [['c'], []],
  },
  'what is ours stays however old it is': {
    installed: [installed('a', '1')],
    wanted: [wanted('a', '1')],
    expired: ['a'],
    plan: [[], []],
  },
  'a foreign manifest that declares one of our names otherwise has to go': {
    installed: [installed('b', '1', { x: 'other' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours' })],
    plan: [['b'], ['a']],
  },
  'a foreign manifest has to go also when ours is there already': {
    installed: [installed('a', '1', { x: 'ours' }), installed('b', '1', { x: 'other' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours' })],
    plan: [['a', 'b'], ['a']],
  },
  'a foreign manifest stays while the person works in its window': {
    installed: [installed('b', '1', { x: 'other' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours' }), wanted('c', '1', { y: 'ours' })],
    mayReplace: false,
    plan: [[], ['c']],
  },
  'a foreign manifest that declares all of ours the same way serves us too': {
    installed: [installed('b', '1', { x: 'ours', z: 'theirs' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours' })],
    plan: [[], []],
  },
  'a foreign manifest that declares a part of ours the same way has to go': {
    installed: [installed('b', '1', { x: 'ours' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours', y: 'ours' })],
    plan: [['b'], ['a']],
  },
  'ours stays when a foreign manifest declares the same beside it': {
    installed: [installed('a', '1', { x: 'ours' }), installed('b', '1', { x: 'ours' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours' })],
    plan: [[], []],
  },
  'what goes anyway is no rival': {
    installed: [installed('old', '1', { x: 'before' })],
    wanted: [wanted('new', '1', { x: 'now' })],
    mayReplace: false,
    plan: [['old'], ['new']],
  },
  'one rival of two of ours is removed once': {
    installed: [installed('b', '1', { x: 'other', y: 'other' }, 'you')],
    wanted: [wanted('a', '1', { x: 'ours' }), wanted('c', '1', { y: 'ours' })],
    plan: [['b'], ['a', 'c']],
  },
};

for (const [name, { plan, ...input }] of Object.entries(cases)) {
  test(name, () => {
    const manifests = input.wanted ?? [];
    const { uninstall, install } = planManifests({
      installed: input.installed ?? [],
      wanted: manifests,
      configured: new Set(input.configured ?? manifests.map(({ extensionId }) => extensionId)),
      expired: new Set(input.expired),
      owners: new Set(['me']),
      mine: new Map(Object.entries(input.mine ?? {})),
      mayReplace: input.mayReplace ?? true,
    });
    assert.deepEqual([uninstall.toSorted(), install.map(({ extensionId }) => extensionId)], plan);
  });
}

test('only what is declared in one way counts as declared', () => {
  assert.deepEqual(
    declaredTools([
      installed('a', '1', { same: '1', torn: '1', alone: '1', __proto__x: '1' }),
      installed('b', '1', { same: '1', torn: '2' }),
      installed('c', '1', { torn: '1' }),
    ]),
    toolsOf({ same: '1', alone: '1', __proto__x: '1' }),
  );
});
