import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Confirm } from '../../../src/core/settings/serverConfiguration.ts';
import { confirmProblems, confirmVerdict } from '../../../src/core/tools/confirmation.ts';
import type { ToolAnnotations } from '../../../src/core/tools/toolDefinition.ts';

const list: Confirm = [
  ['get_*', 'never'],
  ['*_issue', 'writes'],
  ['get_secret', 'always'],
  ['drop_table', 'never'],
];
const reads = { readOnlyHint: true };
const destroys = { destructiveHint: true };

const cases: readonly (readonly [
  confirm: Confirm,
  trust: boolean,
  tool: string,
  annotations: ToolAnnotations,
  asks: boolean,
  why: RegExp,
])[] = [
  ['always', true, 'a', reads, true, /^"confirm" is "always"$/],
  ['never', false, 'a', {}, false, /^"confirm" is "never"$/],
  ['never', false, 'a', { destructiveHint: false, readOnlyHint: false }, false, /"never"$/],
  [
    'never',
    true,
    'a',
    destroys,
    true,
    /says that it can delete .*outweighs that "confirm" is "never"/,
  ],
  ['writes', true, 'a', reads, false, /"writes", and the server says that it only reads$/],
  ['writes', false, 'a', reads, true, /just the server's word \("trustAnnotations" is off\)$/],
  ['writes', true, 'a', {}, true, /does not say that it only reads$/],
  ['writes', true, 'a', { readOnlyHint: false }, true, /does not say that it only reads$/],
  // Who says both is believed in what tightens.
  ['writes', true, 'a', { ...reads, ...destroys }, true, /can delete or overwrite/],
  // An exact name wins over the patterns before it, of which the first counts.
  [list, false, 'get_secret', {}, true, /says "always" for "get_secret"$/],
  [list, false, 'get_issue', {}, false, /says "never" for "get_\*"$/],
  [list, true, 'add_issue', reads, false, /says "writes" for "\*_issue", and/],
  [list, true, 'other', reads, true, /^no pattern of "confirm" fits it$/],
  [[], true, 'other', reads, true, /^no pattern/],
  // Who names a destructive tool knows it; a pattern may cover it by accident.
  [list, false, 'drop_table', destroys, false, /says "never" for "drop_table"$/],
  [
    list,
    false,
    'get_and_delete',
    destroys,
    true,
    /outweighs that "confirm" says "never" for "get_\*"/,
  ],
  [[['*', 'never']], false, '*', destroys, true, /can delete or overwrite/],
  [[['__proto__', 'never']], false, '__proto__', {}, false, /for "__proto__"$/],
  [[['get_*', 'never']], false, 'constructor', {}, true, /^no pattern/],
];

for (const [confirm, trustAnnotations, tool, annotations, asks, why] of cases) {
  const rule = `${JSON.stringify(confirm)}${trustAnnotations ? ' with trust' : ''}`;
  test(`T42 ${rule} ${asks ? 'asks' : 'does not ask'} about ${tool} ${JSON.stringify(annotations)}`, () => {
    const verdict = confirmVerdict({
      configuration: { confirm, trustAnnotations },
      definition: { name: tool, annotations },
    });
    assert.equal(verdict.asks, asks);
    assert.match(verdict.why, why);
  });
}

test('"writes" that cannot spare anything is reported once, however often it is written', () => {
  const writes: readonly Confirm[] = [
    'writes',
    [
      ['a', 'writes'],
      ['*', 'writes'],
    ],
  ];
  const others: readonly Confirm[] = ['always', 'never', [['writes', 'never']], []];
  const problems = (confirm: Confirm, trustAnnotations: boolean): string[] =>
    confirmProblems({ confirm, trustAnnotations }).map(({ message }) => message);
  for (const confirm of writes) {
    assert.match(problems(confirm, false).join('|'), /^[^|]*"trustAnnotations": true[^|]*$/);
    assert.deepEqual(problems(confirm, true), []);
  }
  for (const confirm of others) assert.deepEqual(problems(confirm, false), []);
});
