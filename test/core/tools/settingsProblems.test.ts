import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unmatchedSettings } from '../../../src/core/tools/settingsProblems.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

test('patterns and renames that fit no tool are told once each, but never the star', () => {
  const configuration = configurationOf('s', {
    allow: ['*', 'get_*', 'no_such', 'no_such'],
    narrowed: [['narrow_*', '*']],
    deny: ['delete_*', '*'],
    pin: ['get_a', 'pinned'],
    confirm: [
      ['get_*', 'never'],
      ['confirmed', 'always'],
      ['*', 'writes'],
    ],
    rename: new Map([
      ['get_a', 'read_a'],
      ['GET_A', 'x'],
      ['read_a', 'y'],
    ]),
  });
  assert.deepEqual(
    unmatchedSettings(configuration, ['get_a', 'other']).map(({ where, message }) => [
      where,
      /"(allow|deny|pin|confirm|rename)"/.exec(message)?.[1],
    ]),
    [
      ['no_such', 'allow'],
      ['narrow_*', 'allow'],
      ['delete_*', 'deny'],
      ['pinned', 'pin'],
      ['confirmed', 'confirm'],
      ['GET_A', 'rename'],
      ['read_a', 'rename'],
    ],
  );
});

/** Exposed names and problems of one server with renames. */
function renamed(rename: Readonly<Record<string, string>>, tools: readonly string[], prefix = 's') {
  const configuration = configurationOf('s', { prefix, rename: new Map(Object.entries(rename)) });
  const [server] = buildCatalog([serverOf(configuration, tools)]).servers;
  return {
    names: server?.tools.map(({ exposedName }) => exposedName.replace(/_[0-9a-f]{8}$/, '_#')),
    problems: server?.problems.map(({ message }) => message.replace(/_[0-9a-f]{8}"/, '_#"')),
  };
}

test('a renamed tool has the name asked for behind the prefix', () => {
  assert.deepEqual(
    renamed({ getIssueV2: 'get_issue', swap: 'other', other: 'swap' }, [
      'getIssueV2',
      'swap',
      'other',
      'plain',
    ]),
    { names: ['s__get_issue', 's__other', 's__swap', 's__plain'], problems: [] },
  );
});

const altered: readonly (readonly [
  rename: Record<string, string>,
  tools: readonly string[],
  prefix: string,
  names: readonly string[],
  why: RegExp,
])[] = [
  [
    { a: 'b' },
    ['a', 'b', 'c'],
    's',
    ['s__b_#', 's__b_#', 's__c'],
    /"a" to "b" gives the name "s__b_#", because the tool "b" has that name too/,
  ],
  [
    { a: 'x.y', b: 'x_y' },
    ['a', 'b'],
    's',
    ['s__x_y_#', 's__x_y_#'],
    /"a" to "x.y".*the tool "b" has/,
  ],
  [{ a: 'x y' }, ['a'], 's', ['s__x_y'], /characters that are not allowed/],
  [{ a: 'copilot_x' }, ['a'], '', ['bridge_copilot_x'], /is taken/],
  [{ a: 'bash' }, ['a'], '', ['bash_#'], /is taken/],
  [{ a: 'mcp_bridge_call_tool' }, ['a'], '', ['mcp_bridge_call_tool_#'], /is taken/],
  [{ a: 'n'.repeat(64) }, ['a'], 's', [`s__${'n'.repeat(52)}_#`], /too long/],
];

for (const [rename, tools, prefix, names, why] of altered) {
  test(`${JSON.stringify(rename)} with prefix "${prefix}" stays unique and valid, and is told`, () => {
    const result = renamed(rename, tools, prefix);
    assert.deepEqual(result.names, names);
    assert.match(result.problems?.[0] ?? '', why);
  });
}

test('filters and pins go by the own name, the title stays', () => {
  const configuration = configurationOf('s', {
    rename: new Map([['secret', 'harmless']]),
    deny: ['secret'],
    allow: ['secret', 'harmless'],
  });
  const catalog = buildCatalog([serverOf(configuration, ['secret'])]);
  const tool = catalog.tools.get('s__harmless');
  assert.deepEqual([tool?.definition.name, tool?.availability.kind], ['secret', 'leftOut']);
});
