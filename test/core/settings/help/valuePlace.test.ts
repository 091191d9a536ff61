import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  openVariable,
  valuePlace,
  variableAt,
} from '../../../../src/core/settings/help/valuePlace.ts';

const places: readonly (readonly [
  path: readonly (string | number)[],
  isKey: boolean,
  expected: string | undefined,
])[] = [
  [['allow', 0], false, 'toolPattern'],
  [['deny', 12], false, 'toolPattern'],
  [['pin', 0], false, 'toolPattern'],
  [['confirm', 'get_*'], true, 'toolPattern'],
  [['confirm', 'get_*'], false, undefined],
  [['confirm'], false, undefined],
  [['rename', 'x'], true, 'toolName'],
  [['rename', 'x'], false, undefined],
  [['timeouts', 'tools', 'x'], true, 'toolPattern'],
  [['timeouts', 'tools'], true, undefined],
  [['command'], false, 'launch'],
  [['args', 3], false, 'launch'],
  [['env', 'TOKEN'], false, 'launch'],
  [['env', 'TOKEN'], true, undefined],
  [['headers', 'Authorization'], false, 'launch'],
  [['auth', 'scopes', 0], false, 'launch'],
  [['url'], false, 'launch'],
  [['serverUrl'], false, 'launch'],
  [['prefix'], false, undefined],
  [['toString'], false, undefined],
  [[], false, undefined],
];
for (const [path, isKey, expected] of places) {
  test(`${isKey ? 'the key at' : 'the text at'} ${path.join('.') || 'the top'}: ${expected}`, () => {
    assert.equal(valuePlace(path, isKey), expected);
  });
}

test('the variable that is being written is found, one that is closed is not', () => {
  assert.equal(openVariable('Bearer ${se'), '${se');
  assert.equal(openVariable('${env:A}${'), '${');
  assert.equal(openVariable('${env:A}'), undefined);
  assert.equal(openVariable('$'), undefined);
});

test('the variable under the mouse is found', () => {
  const text = 'a ${env:A} b ${secret:x}';
  assert.deepEqual(variableAt(text, 5), { variable: '${env:A}', start: 2 });
  assert.deepEqual(variableAt(text, 20), { variable: '${secret:x}', start: 13 });
  assert.equal(variableAt(text, 11), undefined);
  assert.equal(variableAt('a ${open', 5), undefined);
});
