import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '../../../src/core/settings/entrySchema.ts';
import { tighten } from '../../../src/core/settings/overlay.ts';
import type { ServerConfiguration } from '../../../src/core/settings/serverConfiguration.ts';
import { configurationOf } from '../../support/builders.ts';

interface Case {
  readonly base?: Partial<ServerConfiguration>;
  readonly entry: Entry;
  /** What differs from the base afterwards. */
  readonly changed: Partial<ServerConfiguration>;
  /** Members that are reported as ignored. */
  readonly ignored: readonly string[];
}

const list = [['get_*', 'never']] as const;

const cases: Readonly<Record<string, Case>> = {
  'may deny more': {
    base: { deny: ['a'] },
    entry: { deny: ['b'] },
    changed: { deny: ['a', 'b'] },
    ignored: [],
  },
  'may allow fewer, as often as there are scopes': {
    base: { allow: ['get_*'], narrowed: [['*_issue']] },
    entry: { allow: ['get_a*'] },
    changed: { allow: ['get_*'], narrowed: [['*_issue'], ['get_a*']] },
    ignored: [],
  },
  'may switch off': { entry: { enabled: false }, changed: { enabled: false }, ignored: [] },
  'may not switch on': {
    base: { enabled: false },
    entry: { enabled: true },
    changed: { enabled: false },
    ignored: ['x.enabled'],
  },
  'may hide behind search': {
    entry: { expose: 'search' },
    changed: { expose: 'search' },
    ignored: [],
  },
  'may not bring out of search': {
    base: { expose: 'search' },
    entry: { expose: 'tools' },
    changed: { expose: 'search' },
    ignored: [],
  },
  'may ask more often': {
    base: { confirm: 'never' },
    entry: { confirm: 'writes' },
    changed: { confirm: 'writes' },
    ignored: [],
  },
  'may not ask less often': {
    base: { confirm: 'writes' },
    entry: { confirm: 'never' },
    changed: { confirm: 'writes' },
    ignored: ['x.confirm'],
  },
  'may replace a list of rules by always only': {
    base: { confirm: list },
    entry: { confirm: 'always' },
    changed: { confirm: 'always' },
    ignored: [],
  },
  'may not replace a list of rules by writes': {
    base: { confirm: list },
    entry: { confirm: 'writes' },
    changed: { confirm: list },
    ignored: ['x.confirm'],
  },
  'may not lay a list over a rule': {
    entry: { confirm: { '*': 'never' } },
    changed: {},
    ignored: ['x.confirm'],
  },
  'may not touch the launch': {
    entry: {
      ...{ args: ['--all'], cwd: '/', env: { A: '1' }, envFile: '.env', headers: { A: '1' } },
      ...{ prefix: 'p', timeouts: { call: 1 }, start: 'auto', idleStop: 5 },
    },
    changed: {},
    ignored: [
      ...['args', 'cwd', 'env', 'envFile', 'headers', 'timeouts', 'start', 'idleStop', 'prefix'],
    ].map((name) => `x.${name}`),
  },
};

for (const [name, { base, entry, changed, ignored }] of Object.entries(cases)) {
  test(`a narrower scope ${name}`, () => {
    const configuration = configurationOf('x', base);
    const result = tighten(configuration, entry);
    assert.deepEqual(
      { ...result, problems: result.problems.map(({ where }) => where) },
      { configuration: { ...configuration, ...changed }, problems: ignored },
    );
  });
}
