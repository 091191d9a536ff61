import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInput, parseInputs, type InputLayer } from '../../../src/core/settings/inputs.ts';
import type { ConfigurationOrigin } from '../../../src/core/settings/serverConfiguration.ts';

const user: ConfigurationOrigin = { scope: 'user' };
const workspace: ConfigurationOrigin = { scope: 'workspace' };
const folder = (name: string): ConfigurationOrigin => ({
  scope: 'folder',
  folder: { name, uri: `file:///${name}`, path: `/${name}` },
});
const prompt = (id: string, description: string): object => ({
  ...{ type: 'promptString', id, description },
});

const wrong: Readonly<Record<string, readonly [value: unknown, where: string]>> = {
  'no list': [{ id: 'a' }, 'inputs'],
  'no id': [[{ type: 'promptString' }], 'inputs[0].id'],
  'an unknown type': [[prompt('a', ''), { type: 'command', id: 'b' }], 'inputs[1].type'],
  'nothing to pick from': [[{ type: 'pickString', id: 'a', options: [] }], 'inputs[0].options'],
};
for (const [name, [value, where]] of Object.entries(wrong)) {
  test(`inputs with ${name} are told with their place`, () => {
    const { problems } = parseInputs([{ origin: user, value }]);
    assert.deepEqual(
      problems.map((problem) => problem.where),
      [where],
    );
    assert.match(problems[0]?.message ?? '', /mcpBridge\.inputs/);
  });
}

test('a wrong input costs itself only', () => {
  const value = [prompt('a', 'A?'), 7, { type: 'pickString', id: 'b', options: ['x'] }];
  const { inputs, problems } = parseInputs([{ origin: user, value }]);
  assert.deepEqual(
    inputs.map(({ input }) => input.id),
    ['a', 'b'],
  );
  assert.equal(problems.length, 1);
});

test('an entry sees the nearest input of its own file or a broader one', () => {
  const layers: readonly InputLayer[] = [
    { origin: user, value: [prompt('token', 'user'), prompt('mine', 'user')] },
    { origin: workspace, value: [prompt('token', 'workspace'), prompt('theirs', 'workspace')] },
    { origin: folder('a'), value: [prompt('token', 'a')] },
  ];
  const { inputs } = parseInputs(layers);
  const seen = (id: string, origin: ConfigurationOrigin): string | undefined =>
    findInput(inputs, id, origin)?.description;
  assert.equal(seen('token', user), 'user');
  assert.equal(seen('token', workspace), 'workspace');
  assert.equal(seen('token', folder('a')), 'a');
  assert.equal(seen('token', folder('b')), 'workspace');
  assert.equal(seen('mine', folder('a')), 'user');
  assert.equal(seen('theirs', user), undefined);
});
