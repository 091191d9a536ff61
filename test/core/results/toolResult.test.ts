import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolResult } from '../../../src/core/results/toolResult.ts';
import type { ToolResultPart } from '../../../src/core/tools/toolCall.ts';
import { shapedBy, text, textOf } from '../../support/results.ts';

const shaping = shapedBy();
const partsOf = async (result: unknown) => (await toolResult(result, shaping)).parts;
const image = (mimeType: string, base64: string): ToolResultPart => ({
  kind: 'image',
  mimeType,
  base64,
});
const base64 = (content: string | readonly number[]): string =>
  Buffer.from(content as string).toString('base64');
const empty = [text('(The tool gave an empty result.)')];
const png = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
const pngPart = image('image/png', 'iVBORw0KGgo=');
const svg = '<svg>ü</svg>';
const resource = (members: object) => ({
  type: 'resource',
  resource: { uri: 'file:///a', ...members },
});
const invalid = [text('[image, image/png, its data is not valid base64: models cannot take this]')];

const blocks: readonly (readonly [block: unknown, parts: readonly ToolResultPart[]])[] = [
  [{ type: 'text', text: 'plain' }, [text('plain')]],
  [{ type: 'text', text: 'cut \ud83d' }, [text('cut \ufffd')]],
  [{ type: 'text', text: null }, empty],
  [{ type: 'text' }, empty],
  [{ type: 'text', text: { a: 1 } }, [text('{\n  "a": 1\n}')]],
  [{ text: 'no type' }, [text('no type')]],
  ['bare text', [text('bare text')]],
  [null, empty],
  [5, [text('5')]],
  // Images: the data counts, whatever the server calls it.
  [png, [pngPart]],
  [{ ...png, mimeType: 'IMAGE/JPG', data: '/9j/4AAQ' }, [image('image/jpeg', '/9j/4AAQ')]],
  [{ ...png, mimeType: 'image/gif', data: 'R0lGODlh' }, [image('image/gif', 'R0lGODlh')]],
  [
    { ...png, mimeType: 'image/webp', data: base64('RIFF\0\0\0\0WEBPVP8 ') },
    [image('image/webp', base64('RIFF\0\0\0\0WEBPVP8 '))],
  ],
  [
    { ...png, data: base64('RIFF\0\0\0\0WAVEfmt ') },
    [text('[image, image/png, 16 bytes: models cannot take this]')],
  ],
  [{ ...png, mimeType: 'image/jpeg' }, [pngPart]],
  [{ ...png, mimeType: undefined }, [pngPart]],
  [
    { ...png, mimeType: 'image/tiff', data: 'SUkqAA==' },
    [text('[image, image/tiff, 4 bytes: models cannot take this]')],
  ],
  [{ ...png, data: 'iVBO\nRw0K Ggo=' }, [pngPart]],
  [{ ...png, data: 'data:image/png;base64,iVBORw0KGgo=' }, [pngPart]],
  [{ ...png, data: 'iVBORw' }, [image('image/png', 'iVBORw')]],
  [{ ...png, data: 'iVBORw0KGgr-_w==' }, [image('image/png', 'iVBORw0KGgr+/w==')]],
  [{ ...png, mimeType: 'image/svg+xml', data: base64(svg) }, [text(svg)]],
  [{ ...png, data: base64(svg) }, [text(svg)]],
  [
    { ...png, mimeType: 'image/svg+xml', data: base64([0xff, 0xfe]) },
    [text('[image, image/svg+xml, 2 bytes: models cannot take this]')],
  ],
  ...['no base64!', 'abcde', 'QQ=', 'Q===', '====', 'a=b='].map(
    (data) => [{ ...png, data }, invalid] as const,
  ),
  [{ type: 'image' }, [text('[image without data: {"type":"image"}]')]],
  [
    { type: 'image', url: 'https://x/y.png', _meta: { s: 1 } },
    [text('[image without data: {"type":"image","url":"https://x/y.png"}]')],
  ],
  [
    { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
    [text('[audio, audio/wav, 4 bytes: not passed on]')],
  ],
  [{ type: 'audio' }, [text('[audio, unknown type, without data: not passed on]')]],
  // Resources.
  [resource({ text: 'body' }), [text('[resource file:///a, unknown type]\nbody')]],
  [resource({ blob: png.data, mimeType: 'image/png' }), [pngPart]],
  [resource({ blob: png.data }), [pngPart]],
  [
    resource({ blob: 'aGk=' }),
    [text('[resource file:///a, unknown type, 2 bytes: not passed on]')],
  ],
  [
    resource({ blob: 'aGk=', mimeType: 'application/json; charset=utf-8' }),
    [text('[resource file:///a, application/json; charset=utf-8]\nhi')],
  ],
  [
    resource({ blob: base64([0xe4]), mimeType: 'text/plain; charset=latin1' }),
    [text('[resource file:///a, text/plain; charset=latin1]\nä')],
  ],
  [
    resource({ blob: base64([0xe4]), mimeType: 'text/plain' }),
    [text('[resource file:///a, text/plain, 1 bytes: not passed on]')],
  ],
  [
    resource({ blob: '!', mimeType: 'text/plain' }),
    [text('[resource file:///a, text/plain, its data is not valid base64: not passed on]')],
  ],
  [
    resource({ mimeType: 'text/plain' }),
    [text('[resource file:///a, text/plain: without content]')],
  ],
  [{ type: 'resource' }, [text('[resource without content]')]],
  [
    {
      type: 'resource_link',
      uri: 'r://q3',
      name: 'q3',
      title: 'Third',
      description: 'Figures',
      size: 9,
    },
    [text('[resource Third (q3): r://q3 (9 bytes; Figures)]')],
  ],
  [{ type: 'resource_link', uri: 'r://x' }, [text('[resource link: r://x]')]],
  // What nobody knows.
  [
    { type: 'json', json: { n: 41, _meta: { secret: 1 } }, _meta: { secret: 1 }, annotations: {} },
    [text('{"type":"json","json":{"n":41}}')],
  ],
  [
    { type: 'video', data: 'A'.repeat(5000) },
    [text('{"type":"video","data":"[5000 characters of data]"}')],
  ],
];

test('T59 every kind of content becomes something a model can read', async () => {
  for (const [block, parts] of blocks) {
    assert.deepEqual(
      await toolResult({ content: [block] }, shaping),
      { isError: false, parts },
      JSON.stringify(block),
    );
  }
});

test('a part of an unknown kind is shortened', async () => {
  const [part] = await partsOf({ content: [{ type: 'x', words: 'a b '.repeat(9000) }] });
  assert.match(textOf([part]), /^\{"type":"x","words":"a b [^]*\[… \d+ characters left out\]$/);
  assert.ok(textOf([part]).length < 4200);
});

test('a broken part never takes its siblings with it', async () => {
  const good = { type: 'text', text: 'fine' };
  for (const [block] of blocks) {
    const parts = await partsOf({ content: [good, block, good] });
    assert.match(textOf(parts), /^fine\n?[^]*fine$/);
  }
});

test('structured content is added unless a text says the same', async () => {
  const structuredContent = { b: [2], a: 1 };
  const pretty = text('{\n  "b": [\n    2\n  ],\n  "a": 1\n}');
  const json = '{ "a": 1,\n  "b": [2] }';
  const words = (...values: string[]) => values.map((value) => ({ type: 'text', text: value }));
  const forUser = { type: 'text', text: json, annotations: { audience: ['user'] } };
  const cases: readonly (readonly [result: object, parts: readonly ToolResultPart[]])[] = [
    [{ structuredContent }, [pretty]],
    [{ content: [], structuredContent }, [pretty]],
    [{ content: words(json), structuredContent }, [text(json)]],
    [{ content: words('see data'), structuredContent }, [text('see data\n'), pretty]],
    [{ content: words('see data', json), structuredContent }, [text('see data\n'), text(json)]],
    [
      { content: words('{"b":[2],', '"a":1}'), structuredContent },
      [text('{"b":[2],\n'), text('"a":1}')],
    ],
    [{ content: [forUser], structuredContent }, [pretty]],
    ...([0, false, null, 1.5] as const).map(
      (value) => [{ content: [], structuredContent: value }, [text(String(value))]] as const,
    ),
    [{ content: [], structuredContent: '' }, [text('""')]],
    [{ content: [], structuredContent: [] }, [text('[]')]],
    [{ content: words('x'), structuredContent: null }, [text('x\n'), text('null')]],
    [{ content: words('plain'), structuredContent: 'plain' }, [text('plain')]],
    // Frameworks wrap what is no object.
    [{ content: words('5'), structuredContent: { result: 5 } }, [text('5')]],
    [
      { content: words('long text'), structuredContent: { result: 'long text' } },
      [text('long text')],
    ],
    [
      { content: words('5'), structuredContent: { result: 6 } },
      [text('5\n'), text('{\n  "result": 6\n}')],
    ],
  ];
  for (const [result, parts] of cases) {
    assert.deepEqual(await partsOf(result), parts, JSON.stringify(result));
  }
});

test('an error is marked, with its reason or without', async () => {
  const mark = text('The tool reported an error:\n');
  assert.deepEqual(
    await Promise.all(
      [
        { isError: true, content: [{ type: 'text', text: 'needs admin role' }] },
        { isError: true },
        { isError: 'yes', content: [] },
      ].map((result) => toolResult(result, shaping)),
    ),
    [
      { isError: true, parts: [mark, text('needs admin role')] },
      { isError: true, parts: [mark, text('the server gave no reason')] },
      { isError: false, parts: empty },
    ],
  );
});

test('parts for the user only are not shown, and the model is told when there is nothing else', async () => {
  const part = (value: string, audience: unknown) => ({
    type: 'text',
    text: value,
    annotations: { audience },
  });
  const told = /^\(The server marked all of the result as meant for the user/;
  assert.match(textOf(await partsOf({ content: [part('secret', ['user'])] })), told);
  assert.deepEqual(
    await partsOf({
      content: [
        part('u', ['user']),
        part('b', ['user', 'assistant']),
        part('n', []),
        part('x', 'user'),
      ],
    }),
    [text('b\n'), text('n\n'), text('x')],
  );
});

test('results of other forms are read as well as can be', async () => {
  const cases: readonly (readonly [result: unknown, parts: readonly ToolResultPart[]])[] = [
    ...[undefined, null, [], {}, { content: null }, { isError: false, _meta: { x: 1 } }].map(
      (result) => [result, empty] as const,
    ),
    ['words', [text('words')]],
    [[{ type: 'text', text: 'list' }], [text('list')]],
    [{ content: 'plain' }, [text('plain')]],
    [{ content: { type: 'text', text: 'block' } }, [text('block')]],
    [{ toolResult: 7, _meta: {} }, [text('{\n  "toolResult": 7\n}')]],
  ];
  for (const [result, parts] of cases) {
    assert.deepEqual(await partsOf(result), parts, JSON.stringify(result));
  }
});

test('a server that wants input has not done its work', async () => {
  const inputRequests = {
    who: {
      method: 'elicitation/create',
      params: { message: 'Your\nname?', requestedSchema: { properties: { n: {} } } },
    },
    where: { method: 'elicitation/create', params: { url: 'https://x.example' } },
    odd: null,
  };
  // The SDK takes `resultType` away on sessions of older revisions.
  for (const result of [
    { resultType: 'input_required', inputRequests, requestState: 'secret' },
    { inputRequests },
  ]) {
    const { isError, parts } = await toolResult(result, shaping);
    assert.equal(isError, true);
    assert.deepEqual(textOf(parts).split('\n').slice(0, -1), [
      'The tool was not carried out: the MCP server "srv" requires input first, and it cannot be asked for here.',
      'It wants:',
      '- who (elicitation/create) Your name?; fields: n',
      '- where (elicitation/create) to be answered at https://x.example',
      '- odd',
    ]);
  }
  assert.match(textOf(await partsOf({ resultType: 'input_required' })), /requires input first/);
});

test('data of any depth is shown or described, never an exception', async () => {
  const nested = (levels: number): unknown => {
    let value: unknown = 'core';
    for (let level = 0; level < levels; level++) value = [value];
    return value;
  };
  const shown = await Promise.all(
    [3, 100, 100_000].map(async (levels) =>
      textOf(await partsOf({ structuredContent: nested(levels) })).replaceAll(/\s/g, ''),
    ),
  );
  assert.deepEqual(
    shown.map((value) => value.length),
    [12, 206, '[datathatisnestedtoodeeplytobeshown]'.length],
  );
});
