import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandVariables, settingsVariables } from '../../../src/core/settings/variables.ts';

const folderAt = (name: string, path: string) => ({ name, path, uri: `file://${path}` });
const one = folderAt('one', '/w/first');
const two = folderAt('two', 'C:\\w\\second\\');
const environment = { TOKEN: 'tk', EMPTY: '' };
const inWindow = settingsVariables({
  ...{ folders: [one, two], folder: undefined, environment, userHome: '/home/u' },
});

const cases: readonly (readonly [text: string, expanded: string])[] = [
  ['${workspaceFolder}|${workspaceFolder:two}', '/w/first|C:\\w\\second\\'],
  ['${workspaceFolderBasename}|${workspaceFolderBasename:two}', 'first|second'],
  ['${userHome}/${env:TOKEN}${env:EMPTY}', '/home/u/tk'],
];

test('variables stand for folders, the home directory and the environment', () => {
  assert.deepEqual(
    cases.map(([text]) => expandVariables(text, inWindow)),
    cases.map(([, text]) => ({ text, unresolved: [] })),
  );
});

test('the folder an entry comes from goes before the first one', () => {
  const lookup = settingsVariables({
    ...{ folders: [one, two], folder: two, environment, userHome: '/home/u' },
  });
  assert.equal(lookup('workspaceFolderBasename', undefined), 'second');
});

test('what is not known has no value', () => {
  const bare = settingsVariables({
    ...{ folders: [], folder: undefined, environment, userHome: '/home/u' },
  });
  const unknown = ['${workspaceFolder}', '${workspaceFolderBasename}', '${userHome:x}', '${env}'];
  for (const text of [...unknown, '${env:NONE}', '${workspaceFolder:none}', '${input:x}']) {
    assert.deepEqual(expandVariables(text, bare), { text, unresolved: [text] });
  }
});
