import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolResultPart } from '../../../src/core/tools/toolCall.ts';
import {
  maxImageCharacters,
  maxImages,
  maxResultText,
  toolResult,
} from '../../../src/core/tools/toolResult.ts';

const text = (value: string): ToolResultPart => ({ kind: 'text', text: value });
const image = (mimeType: string, base64: string): ToolResultPart => ({
  kind: 'image',
  mimeType,
  base64,
});
const empty = [text('(The tool gave an empty result.)')];
const png = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
const svg = Buffer.from('<svg>ü</svg>').toString('base64');

const blocks: readonly (readonly [block: unknown, parts: readonly ToolResultPart[]])[] = [
  [{ type: 'text', text: 'plain' }, [text('plain')]],
  [{ type: 'text', text: 'cut \ud83d' }, [text('cut \ufffd')]],
  [{ type: 'text', text: null }, empty],
  [png, [image('image/png', 'iVBORw0KGgo=')]],
  [{ ...png, mimeType: 'IMAGE/JPG' }, [image('image/jpeg', 'iVBORw0KGgo=')]],
  [{ ...png, data: 'iVBO\nRw0K Ggo=' }, [image('image/png', 'iVBORw0KGgo=')]],
  [{ ...png, data: 'iVBORw' }, [image('image/png', 'iVBORw')]],
  [{ ...png, mimeType: 'image/svg+xml', data: svg }, [text('<svg>ü</svg>')]],
  [
    { ...png, mimeType: 'image/tiff' },
    [text('[image, image/tiff, 9 bytes: models cannot take this type]')],
  ],
  ...['no base64!', 'abcde', 'QQ=', 'Q===', '====', 'a=b='].map(
    (data) =>
      [{ ...png, data }, [text('[image, image/png: its data is not valid base64]')]] as const,
  ),
  [
    { ...png, mimeType: 'image/svg+xml', data: 'QQ=' },
    [text('[image, image/svg+xml: its data is not valid base64]')],
  ],
  [{ type: 'image' }, [text('[image, unknown type: without data]')]],
  [
    { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
    [text('[audio, audio/wav: not passed on]')],
  ],
  [{ type: 'resource', resource: { uri: 'file:///a', text: 'body' } }, [text('body')]],
  [
    { type: 'resource', resource: { uri: 'file:///a.png', blob: 'aGk=', mimeType: 'image/png' } },
    [image('image/png', 'aGk=')],
  ],
  [
    { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'aGk=' } },
    [text('[resource file:///a.bin, unknown type: not passed on]')],
  ],
  [{ type: 'resource' }, [text('[resource without content]')]],
  [
    { type: 'resource_link', uri: 'r://q3', name: 'q3', title: 'Third', description: 'Figures' },
    [text('[resource Third: r://q3 (Figures)]')],
  ],
  [{ type: 'resource_link', uri: 'r://x' }, [text('[resource link: r://x]')]],
  [
    { type: 'json', json: { n: 41 }, _meta: { secret: 1 }, annotations: {} },
    [text('{\n  "type": "json",\n  "json": {\n    "n": 41\n  }\n}')],
  ],
  [{ text: 'no type' }, [text('{\n  "text": "no type"\n}')]],
  ['bare text', [text('bare text')]],
  [null, empty],
  [5, empty],
  [{ type: 'text', text: 'for you', annotations: { audience: ['user'] } }, empty],
  [
    { type: 'text', text: 'for both', annotations: { audience: ['user', 'assistant'] } },
    [text('for both')],
  ],
  [{ type: 'text', text: 'x', annotations: { audience: [] } }, [text('x')]],
];

test('every kind of content becomes something a model can read', () => {
  assert.deepEqual(
    blocks.map(([block]) => toolResult({ content: [block] })),
    blocks.map(([, parts]) => ({ kind: 'result', isError: false, parts })),
  );
});

test('structured content is added unless a text says the same', () => {
  const structuredContent = { b: [2], a: 1 };
  const pretty = text('{\n  "b": [\n    2\n  ],\n  "a": 1\n}');
  const json = '{ "a": 1,\n  "b": [2] }';
  const said = text(json);
  const cases: readonly (readonly [result: unknown, parts: readonly ToolResultPart[]])[] = [
    [{ structuredContent }, [pretty]],
    [{ content: [], structuredContent }, [pretty]],
    [{ content: [{ type: 'text', text: json }], structuredContent }, [said]],
    [
      { content: [{ type: 'text', text: 'see data' }], structuredContent },
      [text('see data'), pretty],
    ],
    [{ content: [], structuredContent: 0 }, [text('0')]],
    [{ content: [], structuredContent: null }, [text('null')]],
  ];
  assert.deepEqual(
    cases.map(([result]) => toolResult(result).parts),
    cases.map(([, parts]) => parts),
  );
});

test('an error is marked, with its reason or without', () => {
  const mark = text('The tool reported an error:');
  assert.deepEqual(
    [
      toolResult({ isError: true, content: [{ type: 'text', text: 'needs admin role' }] }),
      toolResult({ isError: true }),
      toolResult({ isError: 'yes', content: [] }),
    ],
    [
      { kind: 'result', isError: true, parts: [mark, text('needs admin role')] },
      { kind: 'result', isError: true, parts: [mark, text('the server gave no reason')] },
      { kind: 'result', isError: false, parts: empty },
    ],
  );
});

test('garbage gives an empty result, never an exception', () => {
  const garbage = [undefined, null, 'text', 5, [], {}, { content: null }, { content: 5 }];
  assert.deepEqual(
    garbage.map((result) => toolResult(result)),
    garbage.map(() => ({ kind: 'result', isError: false, parts: empty })),
  );
});

test('content that should stand in a list and does not is read all the same', () => {
  assert.deepEqual(
    ['plain', { type: 'text', text: 'block' }].map((content) => toolResult({ content }).parts),
    [[text('plain')], [text('block')]],
  );
});

test('data of any depth is shown or described, never an exception', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 'core';
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const shown = [3, 100, 100_000].map((levels) =>
    toolResult({ structuredContent: nested(levels) }).parts.map((part) =>
      part.kind === 'text' ? part.text.replaceAll(/\s/g, '').length : 0,
    ),
  );
  assert.deepEqual(shown, [[12], [206], ['[datathatisnestedtoodeeplytobeshown]'.length]]);
});

/** Number of parts and of all their characters, and whether the text is well formed. */
function measure(parts: readonly ToolResultPart[]) {
  const whole = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return { parts: parts.length, characters: whole.length, isWellFormed: whole.isWellFormed() };
}

test('a long text keeps its beginning and its end', () => {
  const long = `FIRST${'line of output\n'.repeat(700_000)}LAST`;
  const [part, ...others] = toolResult({ content: [{ type: 'text', text: long }] }).parts;
  assert.ok(part?.kind === 'text');
  assert.deepEqual(
    [
      part.text.startsWith('FIRST'),
      part.text.endsWith('LAST'),
      part.text.includes(`${long.length - maxResultText} characters left out`),
      part.text.length < maxResultText + 200,
      others,
    ],
    [true, true, true, true, []],
  );
});

test('a cut never leaves half a character', () => {
  const { isWellFormed } = measure(
    toolResult({ content: [{ type: 'text', text: `x${'🎉'.repeat(100_000)}` }] }).parts,
  );
  assert.ok(isWellFormed);
});

test('very many parts are limited like one long one', () => {
  for (const length of [0, 1, 100]) {
    const block = { type: 'text', text: 'x'.repeat(length) };
    const { parts } = toolResult({ content: Array.from({ length: 200_000 }, () => block) });
    const { characters, parts: count } = measure(parts);
    assert.ok(characters < maxResultText + 500 && count <= maxResultText + 1);
    const last = parts.at(-1);
    assert.ok(last?.kind === 'text' && /more parts left out/.test(last.text));
  }
});

test('images are limited in number and in size, and what is missing is told', () => {
  const big = 'A'.repeat(maxImageCharacters - 8);
  const count = (content: readonly unknown[]): unknown => {
    const { parts } = toolResult({ content });
    return [parts.filter(({ kind }) => kind === 'image').length, parts.length];
  };
  assert.deepEqual(
    [
      count(Array.from({ length: maxImages }, () => png)),
      count(Array.from({ length: maxImages + 3 }, () => png)),
      count([{ ...png, data: big }, png]),
      count([
        { ...png, data: big },
        { ...png, data: big },
        { ...png, data: 'QUJD' },
      ]),
    ],
    [
      [maxImages, maxImages],
      [maxImages, maxImages + 1],
      [1, 2],
      [2, 3],
    ],
  );
});
