import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSettings, type SettingsLayer } from '../../../src/core/settings/parseSettings.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { serverOf } from '../../support/builders.ts';

/** `it`, registered by an extension. */
function registered(entry: object): SettingsLayer {
  return {
    origin: { scope: 'extension', extension: 'pub.ext' },
    value: { it: { command: 'x', ...entry } },
  };
}

const user = (entry: object): SettingsLayer => ({
  origin: { scope: 'user' },
  value: { it: entry },
});
const workspace = (entry: object): SettingsLayer => ({
  origin: { scope: 'workspace' },
  value: { it: entry },
});

/** The members of `it` that matter here, and what is reported. */
function read(...layers: readonly SettingsLayer[]) {
  const { configurations, problems, invalid } = parseSettings(layers);
  const [it] = configurations;
  assert.deepEqual([configurations.length, invalid], [1, []]);
  assert.ok(it);
  return { it, problems: problems.map(({ where, message }) => `${where}: ${message}`) };
}

test('what an extension may not decide is ignored and reported', () => {
  const { it, problems } = read(
    registered({ confirm: 'never', trustAnnotations: true, limits: { tools: 5000, images: 1 } }),
  );
  assert.deepEqual(
    [it.confirm, it.trustAnnotations, it.limits.tools, it.limits.images],
    ['always', false, 1000, 1],
  );
  assert.deepEqual(
    problems.map((text) => /^(\S+): .*an extension may/.exec(text)?.[1]),
    ['it.confirm', 'it.trustAnnotations', 'it.limits.tools'],
  );
});

test("the user's settings decide everything but the launch", () => {
  const { it, problems } = read(
    registered({ allow: ['get_*'], deny: ['a'], timeouts: { call: 5 } }),
    user({
      ...{ confirm: { 'get_*': 'never' }, trustAnnotations: true, limits: { tools: 5000 } },
      ...{ prefix: 'p', rename: { a: 'b' }, priority: 3, pin: ['x'], start: 'manual', idleStop: 5 },
      ...{ timeouts: { total: 50 }, allow: ['*_x'], deny: ['b'], expose: 'search' },
      ...{ args: ['--evil'], env: { A: 'b' }, newTools: 'ask', changedTools: 'allow' },
    }),
  );
  const { limits, launch, rename, timeouts, ...rest } = it;
  assert.deepEqual(
    {
      ...rest,
      ...{ tools: limits.tools, rename: [...rename], launch, timeouts },
    },
    {
      id: 'extension:pub.ext/it',
      key: 'it',
      newTools: 'ask',
      changedTools: 'allow',
      origin: { scope: 'extension', extension: 'pub.ext' },
      ...{ enabled: true, start: 'manual', idleStop: 5, prefix: 'p', priority: 3, pin: ['x'] },
      ...{ allow: ['get_*'], narrowed: [['*_x']], deny: ['a', 'b'], expose: 'search' },
      ...{ confirm: [['get_*', 'never']], trustAnnotations: true, resources: true, prompts: true },
      ...{ tools: 5000, rename: [['a', 'b']] },
      ...{ protocol: 'auto', elicitation: true, sampling: true },
      launch: { type: 'stdio', command: 'x', args: [], env: {} },
      timeouts: { connect: 30, call: 5, total: 50 },
    },
  );
  assert.deepEqual(
    problems.map((text) => /^(\S+): .*registered by the extension pub\.ext/.exec(text)?.[1]),
    ['it.args', 'it.env'],
  );
});

test('a workspace only tightens, also over what the user decided', () => {
  const { it } = read(
    registered({}),
    user({ confirm: 'writes', prefix: 'mine' }),
    workspace({ confirm: 'never', prefix: 'evil', deny: ['z'] }),
  );
  assert.deepEqual([it.confirm, it.prefix, it.deny], ['writes', 'mine', ['z']]);
});

test("an extension's server stands beside the user's own of the same key and never takes its prefix", () => {
  const { configurations } = parseSettings([registered({}), user({ command: 'y' })]);
  const catalog = buildCatalog(configurations.map((one) => serverOf(one, ['tool'])));
  assert.deepEqual(
    catalog.servers.map(({ server, prefix }) => [
      server.configuration.origin.scope,
      prefix.replace(/[0-9a-f]{6}$/, '#'),
    ]),
    [
      ['user', 'it'],
      ['extension', 'it_#'],
    ],
  );
});
