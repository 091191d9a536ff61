import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { SealedState } from '../../src/editor/sealedState.ts';

const onError = (error: unknown): void => assert.fail(String(error));

function storage() {
  const kept = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const context = {
    globalState: {
      get: (name: string) => kept.get(name),
      update: async (name: string, value: unknown) => {
        if (value === undefined) kept.delete(name);
        else kept.set(name, structuredClone(value));
      },
      keys: () => [...kept.keys()],
    },
    secrets: {
      get: async (name: string) => secrets.get(name),
      store: async (name: string, value: string) => void secrets.set(name, value),
    },
  } as unknown as vscode.ExtensionContext;
  return { kept, secrets, context };
}

test('a value is kept for the next start of the editor, and forgotten on order', async () => {
  const { context } = storage();
  const first = await SealedState.open(context, onError);
  await first.update('pins/a', { hash: 'x' });
  const next = await SealedState.open(context, onError);
  assert.deepEqual(next.get('pins/a'), { hash: 'x' });
  assert.deepEqual(next.names('pins/'), ['pins/a']);
  await next.update('pins/a', undefined);
  assert.deepEqual([next.get('pins/a'), next.names('pins/')], [undefined, []]);
});

test('what somebody else wrote, or what was sealed with a lost key, counts for nothing', async () => {
  const { kept, secrets, context } = storage();
  const state = await SealedState.open(context, onError);
  await state.update('pins/a', { hash: 'x' });
  kept.set('pins/b', { value: { hash: 'y' }, seal: 'ab'.repeat(32) });
  assert.equal(state.get('pins/b'), undefined);
  secrets.clear();
  assert.equal((await SealedState.open(context, onError)).get('pins/a'), undefined);
});

test('two windows that start at once end up with the same key', async () => {
  const { context } = storage();
  const [one, other] = await Promise.all([
    SealedState.open(context, onError),
    SealedState.open(context, onError),
  ]);
  await one.update('pins/a', 1);
  assert.equal(other.get('pins/a'), 1);
});

test('without a secret storage everything is forgotten with the window, and that is said', async () => {
  const { context, kept } = storage();
  const said: string[] = [];
  const broken = { ...context, secrets: { ...context.secrets, store: async () => undefined } };
  const state = await SealedState.open(broken, (error) => said.push(String(error)));
  await state.update('pins/a', 1);
  assert.deepEqual([state.get('pins/a'), state.isVolatile, said.length], [1, true, 1]);
  assert.equal((await SealedState.open(context, onError)).get('pins/a'), undefined);
  assert.ok(kept.has('pins/a'));
});
