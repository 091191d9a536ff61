import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filteredCatalog } from '../../../src/core/tools/catalogFilter.ts';
import { estimatedTokens, tokensText } from '../../../src/core/tools/tokenEstimate.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { serverOf, toolOf } from '../../support/builders.ts';

const catalog = buildCatalog([
  serverOf('github', [toolOf('get_issue', { title: 'Read Issue' }), 'create_issue']),
  serverOf('files', ['read', 'write']),
]);
const shown = (text: string): string[] =>
  filteredCatalog(catalog, text).servers.flatMap(({ server, tools }) =>
    tools.map(({ definition }) => `${server.configuration.key}/${definition.name}`),
  );

const cases: readonly (readonly [text: string, expected: readonly string[]])[] = [
  ['', ['github/get_issue', 'github/create_issue', 'files/read', 'files/write']],
  ['FILES', ['files/read', 'files/write']],
  ['read', ['github/get_issue', 'files/read']],
  ['git read', ['github/get_issue']],
  ['nothing like it', []],
];
for (const [text, expected] of cases) {
  test(`"${text}" leaves ${expected.length} tools`, () => assert.deepEqual(shown(text), expected));
}

test('tokens are estimated from all that a request holds of a tool', () => {
  const [tool] = catalog.tools.values();
  assert.ok(tool !== undefined);
  const { exposedName, modelDescription, modelSchema } = tool;
  const characters = [exposedName, modelDescription, JSON.stringify(modelSchema)].join('').length;
  assert.equal(estimatedTokens(tool), Math.ceil(characters / 4));
  assert.equal(tokensText(1234), '~1,234 tokens');
});
