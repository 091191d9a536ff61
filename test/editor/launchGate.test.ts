import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationOf } from '../support/builders.ts';
import { useFakeVscode } from '../support/fakeVscode.ts';
import { workspace } from '../support/vscode.ts';

useFakeVscode();
const { launchRefusal } = await import('../../src/editor/launchGate.ts');

test('only servers of the workspace wait for trust in it', () => {
  const refused = (): unknown[] =>
    (['extension', 'user', 'workspace', 'folder'] as const).filter(
      (scope) => launchRefusal(configurationOf('s', { origin: { scope } })) !== undefined,
    );
  assert.deepEqual(refused(), []);
  workspace.isTrusted = false;
  assert.deepEqual(refused(), ['workspace', 'folder']);
  assert.match(launchRefusal(configurationOf('s', { enabled: false })) ?? '', /switched off/);
});
