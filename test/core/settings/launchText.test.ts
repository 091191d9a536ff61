import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitCommandLine } from '../../../src/core/settings/commandLine.ts';
import { expandVariables, type VariableLookup } from '../../../src/core/settings/variables.ts';

const commandLines: readonly (readonly [string, readonly string[] | undefined])[] = [
  ['', []],
  ['  ', []],
  ['npx -y  server', ['npx', '-y', 'server']],
  ["a 'b c' d", ['a', 'b c', 'd']],
  ['a "b \\"c\\" \\\\ d" e', ['a', 'b "c" \\ d', 'e']],
  ['a "C:\\dir\\x"', ['a', 'C:\\dir\\x']],
  ["a 'b \\ c'", ['a', 'b \\ c']],
  ['a "" \'\'', ['a', '', '']],
  ['--name="two words"', ['--name=two words']],
  ['a\tb\nc', ['a', 'b', 'c']],
  ['a && b | c; $HOME `d`', ['a', '&&', 'b', '|', 'c;', '$HOME', '`d`']],
  ['a "open', undefined],
  ["a 'open", undefined],
];

test('a command line is split at spaces and quotes, and nothing else has a meaning', () => {
  assert.deepEqual(
    commandLines.map(([line]) => splitCommandLine(line)),
    commandLines.map(([, words]) => words),
  );
});

const lookup: VariableLookup = (name, argument) => {
  const values: Readonly<Record<string, string>> = {
    workspaceFolder: '/w',
    'workspaceFolder:two': '/two',
    'env:TOKEN': 'tk',
    'env:EMPTY': '',
    'env:ODD': 'a${env:TOKEN}b$&',
    'env:A-B': 'dash',
  };
  const key = argument === undefined ? name : `${name}:${argument}`;
  return Object.hasOwn(values, key) ? values[key] : undefined;
};

const texts: readonly (readonly [string, string, unresolved?: readonly string[]])[] = [
  ['no variables', 'no variables'],
  ['${workspaceFolder}/x', '/w/x'],
  ['${workspaceFolder:two}', '/two'],
  ['${env:TOKEN}${env:TOKEN}', 'tktk'],
  ['${env:ODD}', 'a${env:TOKEN}b$&'],
  ['${env:EMPTY}', ''],
  ['${env:EMPTY:-default}', 'default'],
  ['${env:GONE:-}', ''],
  ['${env:GONE:-a:-b}', 'a:-b'],
  ['${env:A-B}', 'dash'],
  ['${env:GONE}', '${env:GONE}', ['${env:GONE}']],
  ['${HOME} ${input:key}', '${HOME} ${input:key}', ['${HOME}', '${input:key}']],
  ['$HOME $ {x} $', '$HOME $ {x} $'],
  [
    '${} ${1} ${ env:A} ${open',
    '${} ${1} ${ env:A} ${open',
    ['${}', '${1}', '${ env:A}', '${open'],
  ],
  ['${env:GONE:-${env:TOKEN}/x}', 'tk/x'],
  ['${env:GONE:-${env:ODD}}', 'a${env:TOKEN}b$&'],
  ['${env:${env:TOKEN}}', '${env:${env:TOKEN}}', ['${env:${env:TOKEN}}']],
  ['${GONE:-default}', 'default'],
  ['${constructor}', '${constructor}', ['${constructor}']],
];

test('variables are replaced once, and those without a value are collected', () => {
  assert.deepEqual(
    texts.map(([text]) => expandVariables(text, lookup)),
    texts.map(([, text, unresolved = []]) => ({ text, unresolved })),
  );
});

test('a text that grows without bound is refused', () => {
  const bomb = '${env:LONG}'.repeat(200);
  const { text, unresolved } = expandVariables(bomb, () => 'x'.repeat(10_000));
  assert.deepEqual([text, unresolved.length], ['', 1]);
});
