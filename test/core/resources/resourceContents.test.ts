import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asToolResult, resourceFile } from '../../../src/core/resources/resourceContents.ts';
import { defaultLimits } from '../../../src/core/settings/limits.ts';
import { toolResult } from '../../../src/core/results/toolResult.ts';

const text = (result: unknown): unknown => {
  const file = resourceFile(result);
  if (typeof file === 'string') return file;
  return [new TextDecoder().decode(file.bytes), file.mimeType];
};

const files: readonly (readonly [contents: unknown, file: unknown])[] = [
  [[{ text: 'ü', mimeType: 'text/markdown' }], ['ü', 'text/markdown']],
  [[{ text: '' }], ['', undefined]],
  [[{ blob: 'w7w=', mimeType: 'a/b' }], ['ü', 'a/b']],
  [[{ blob: '***' }], 'Its content is neither text nor valid base64.'],
  [[{ uri: 'a:' }], 'Its content is neither text nor valid base64.'],
  [[], 'The server answered with no content.'],
  [[null, 5], 'The server answered with no content.'],
  ['x', 'The server answered with no content.'],
  [
    [{ text: 'x'.repeat(11 * 1024 * 1024) }],
    'Its content is larger than 10 MB, which is too large to be shown.',
  ],
  [
    [
      { uri: 'a:1', text: 'one' },
      { blob: 'AA==', mimeType: 'image/png' },
    ],
    ['==== a:1 ====\none\n\n==== (no URI) ====\n[binary, image/png]', 'text/plain'],
  ],
];

for (const [contents, file] of files) {
  test(`contents ${JSON.stringify(contents).slice(0, 60)} as a file`, () => {
    assert.deepEqual(text({ contents }), file);
  });
}

test('T59 what is read goes to the model as embedded resources do', async () => {
  const contents = [
    { uri: 'a:1', text: 'one' },
    { uri: 'a:2', blob: 'iVBORw0KGgo=', mimeType: 'image/png' },
  ];
  const { parts } = await toolResult(asToolResult({ contents }), {
    server: 's',
    tool: 't',
    limits: defaultLimits,
  });
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['text', 'image'],
  );
  assert.match(JSON.stringify(parts), /one/);
  for (const bad of [undefined, null, {}, { contents: 5 }]) {
    assert.deepEqual(asToolResult(bad), { content: [] });
  }
});
