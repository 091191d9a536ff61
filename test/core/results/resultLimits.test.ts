import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultFiles } from '../../../src/core/results/resultFiles.ts';
import { toolResult } from '../../../src/core/results/toolResult.ts';
import type { Limits } from '../../../src/core/settings/limits.ts';
import { shapedBy, text, textOf } from '../../support/results.ts';

/** Files that are kept in a list. */
function filesIn(kept: string[]): ResultFiles {
  return { write: (name, whole) => Promise.resolve(`/results/${name}-${kept.push(whole)}.txt`) };
}

async function shape(content: unknown, limits: Partial<Limits> = {}) {
  const kept: string[] = [];
  const { parts } = await toolResult({ content }, shapedBy(limits, { files: filesIn(kept) }));
  return { parts, whole: textOf(parts), kept };
}

const words = (value: string, priority?: number) => ({
  type: 'text',
  text: value,
  ...(priority !== undefined && { annotations: { priority } }),
});
const log = `FIRST-MARK\n${'line of log output 0123456789\n'.repeat(360_000)}LAST-MARK`;

test('a long text keeps its beginning and its end, and the whole is in a file that is named', async () => {
  const { parts, whole, kept } = await shape([words(log)]);
  assert.match(whole, /^FIRST-MARK\n/);
  assert.match(whole, /\nLAST-MARK$/);
  const [note, missing, total] =
    /\n\[… (\d+) of (\d+) characters left out; the whole text is in the file \/results\/srv__tool-1\.txt: read the lines you need with read_file …\]\n/.exec(
      whole,
    ) ?? [];
  assert.ok(note !== undefined, whole.slice(29_000, 31_000));
  const [head = '', tail = ''] = whole.split(note);
  assert.equal(Number(total), log.length);
  assert.ok(Math.abs(Number(missing) + head.length + tail.length - log.length) < 20);
  assert.ok(head.length > tail.length && tail.length > 15_000);
  assert.ok(whole.length <= 50_000 && whole.length > 48_000, String(whole.length));
  assert.ok(parts.every((part) => part.kind === 'text' && part.text.length <= 8000));
  // Cut between lines, in the text and between the parts.
  const lines = parts.flatMap((part) => (part.kind === 'text' ? part.text.split('\n') : []));
  assert.deepEqual(
    [...new Set(lines)].filter((line) => !line.startsWith('[…')),
    ['FIRST-MARK', 'line of log output 0123456789', '', 'LAST-MARK'],
  );
  assert.deepEqual(kept, [log]);
});

test('what cannot be kept is cut all the same', async () => {
  const { parts } = await toolResult({ content: [words(log)] }, shapedBy());
  assert.match(textOf(parts), /characters left out; the result is too long: ask for less/);
});

test('a text within the limits is given as it is, and no file is written', async () => {
  const lines = 'a line\n'.repeat(1000);
  for (const value of ['small', lines, ' \n x', 'x'.repeat(2000)]) {
    const { parts, kept } = await shape([words(value)]);
    assert.deepEqual([parts, kept], [[text(value)], []]);
  }
});

test('a cut never leaves half a character', async () => {
  for (const beginning of ['', 'x', 'xx']) {
    const { whole, kept } = await shape([words(beginning + '🎉'.repeat(100_000))]);
    assert.ok(whole.isWellFormed() && kept[0]?.isWellFormed());
  }
});

test('long lines are broken where words end', async () => {
  const prose = 'some words, '.repeat(500);
  const solid = 'x'.repeat(4500);
  const broken = await shape([words(prose), words(solid)]);
  const lines = broken.parts.flatMap((part) => (part.kind === 'text' ? part.text.split('\n') : []));
  assert.ok(lines.every((line) => line.length <= 2000));
  assert.equal(lines.join(''), prose + solid);
  assert.ok(lines.slice(0, 3).every((line) => /[ ,]$/.test(line)));
});

test('JSON in one long line is laid out, token by token as the server wrote it', async () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, 'a "b"': ['x, y', {}, []], n: null }));
  const json = JSON.stringify(rows);
  const { whole } = await shape([words(json)]);
  assert.equal(whole.replaceAll(/\n+/g, '\n'), JSON.stringify(rows, null, 2));
  const numbers = `[${'12345678901234567890, 1.0, '.repeat(100)}1E400]`;
  assert.equal(
    (await shape([words(numbers)])).whole.replaceAll(/\s/g, ''),
    numbers.replaceAll(' ', ''),
  );
});

test('what a server ranks low gives way first, and the order stays', async () => {
  const long = (mark: string) => `${mark} ${'.'.repeat(400)}`;
  const { whole, kept } = await shape(
    [
      words(long('low'), 0.1),
      words(long('high'), 1),
      words(long('middle')),
      words(long('last'), 0),
    ],
    { resultChars: 1200 },
  );
  assert.match(
    whole,
    /^low \.+\n\[… \d+ of 1621 characters left out; [^\n]+\]\n\.+\nhigh \.{400}\n/,
  );
  assert.match(whole, /\nhigh \.{400}\nmiddle \.{400}$/);
  assert.match(kept[0] ?? '', /^low [^]*\nhigh [^]*\nmiddle [^]*\nlast /);
});

test('very many parts are limited like one long one', async () => {
  for (const length of [0, 1, 100]) {
    const many = Array.from({ length: 50_000 }, (_, index) =>
      words('x'.repeat(length), (index % 7) / 7),
    );
    const { parts, whole } = await shape(many);
    assert.ok(parts.length >= 1 && parts.length <= 100 && whole.length <= 51_000);
  }
});

test('too many texts are joined, not dropped', async () => {
  const numbers = Array.from({ length: 500 }, (_, index) => String(index));
  const joined = await shape(numbers.map((value) => words(value)));
  assert.deepEqual([joined.parts.length, joined.whole], [1, numbers.join('\n')]);
  const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  for (const resultBlocks of [1, 2, 3, 5]) {
    const content = [words('a'), image, words('b'), image, words('c'), image];
    const { parts, whole } = await shape(content, { resultBlocks });
    assert.ok(parts.length <= resultBlocks);
    assert.match(whole, /a[^]*b[^]*c/);
    assert.match(whole, /\[image, image\/png, 8 bytes: left out/);
  }
});

test('T60 images are limited in number and in size, those of high priority first', async () => {
  const image = (bytes: number, priority = 0.5) => ({
    type: 'image',
    data: Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(bytes - 8)]).toString(
      'base64',
    ),
    annotations: { priority },
  });
  const kinds = async (content: readonly unknown[], limits: Partial<Limits>) =>
    (await shape(content, limits)).parts
      .map((part) => (part.kind === 'image' ? 'i' : 't'))
      .join('');
  assert.deepEqual(
    [
      await kinds([image(8), image(8), image(8)], { images: 2 }),
      await kinds([image(8, 0.1), image(8), image(8, 1)], { images: 2 }),
      await kinds([image(100), image(50), image(50)], { imageBytes: 150 }),
      await kinds([image(200), image(50)], { imageBytes: 150 }),
    ],
    ['iit', 'tii', 'iit', 'ti'],
  );
});

test('the budget of the caller is kept, counted with its own tokenizer', async () => {
  const counts: number[] = [];
  const tokens = {
    tokenBudget: 1000,
    countTokens: (value: string) => {
      counts.push(value.length);
      return Promise.resolve(Math.ceil(value.length / 2));
    },
  };
  const { parts } = await toolResult({ content: [words(log)] }, shapedBy({}, { tokens }));
  const whole = textOf(parts);
  assert.ok(whole.length / 2 <= 1000 && whole.length > 1000, String(whole.length));
  assert.match(whole, /^FIRST-MARK[^]*left out[^]*LAST-MARK$/);
  counts.length = 0;
  await toolResult({ content: [words('small')] }, shapedBy({}, { tokens }));
  assert.deepEqual(counts, [], 'a small text needs no counting');
});

test('a tokenizer that fails is replaced by a guess', async () => {
  const tokens = { tokenBudget: 1000, countTokens: () => Promise.reject(new Error('gone')) };
  const { parts } = await toolResult({ content: [words(log)] }, shapedBy({}, { tokens }));
  assert.ok(textOf(parts).length < 2500);
});
