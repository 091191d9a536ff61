import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineReader, type Line } from '../../src/mcp/lineReader.ts';
import { ByteTail } from '../../src/mcp/byteTail.ts';
import { Random } from '../support/random.ts';

const line = (text: string): Line => ({ kind: 'line', text });

/** The lines a reader finds in the chunks. */
function read(chunks: readonly (Buffer | string)[], limit?: number): Line[] {
  const reader = new LineReader(limit);
  return chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)));
}

const cases: Readonly<Record<string, readonly [text: string, lines: readonly Line[]]>> = {
  'nothing without a line break': ['open', []],
  'every line that has ended': ['a\nb\nopen', [line('a'), line('b')]],
  'lines of Windows': ['a\r\nb\r\n', [line('a'), line('b')]],
  'empty lines': ['\n\r\na\n', [line(''), line(''), line('a')]],
  'no byte order mark': ['\ufeffa\n\ufeffb\n', [line('a'), line('b')]],
  'no white space at the end': ['a \t\n', [line('a')]],
  'other line separators within a line': ['a\u2028b\u0085c\n', [line('a\u2028b\u0085c')]],
};

for (const [name, [text, lines]] of Object.entries(cases)) {
  test(`a line reader gives ${name}`, () => {
    assert.deepEqual(read([text]), lines);
  });
}

test('lines are the same however the bytes are cut into chunks', () => {
  const text = '{"a":"naïve 🎉 日本語"}\r\n\n\ufeff{"b":1}\nmore\n';
  const bytes = Buffer.from(text);
  const whole = read([bytes]);
  const random = new Random(5);
  for (let round = 0; round < 300; round++) {
    const chunks: Buffer[] = [];
    for (let start = 0; start < bytes.length;) {
      const end = Math.min(bytes.length, start + random.below(round === 0 ? 2 : 9));
      chunks.push(bytes.subarray(start, end));
      start = end;
    }
    assert.deepEqual(read(chunks), whole);
  }
  assert.equal(whole.length, 4);
});

test('a line beyond the limit is dropped to its end, told once, and harms no other', () => {
  const long = 'x'.repeat(11);
  const texts = [
    [`a\n${long}\nb\n`],
    ['a\n', long, long, long, '\nb\n'],
    ['a\n', 'x'.repeat(10), 'x', '\n', 'b\n'],
  ];
  assert.deepEqual(
    texts.map((chunks) => read(chunks, 10)),
    texts.map(() => [line('a'), { kind: 'tooLong', head: long }, line('b')]),
  );
  assert.deepEqual(read(['x'.repeat(10), '\n'], 10), [line('x'.repeat(10))]);
});

test('a long message in small chunks costs linear time', () => {
  const reader = new LineReader();
  const chunk = Buffer.alloc(1024, 'x');
  const startedAt = performance.now();
  for (let count = 0; count < 7 * 1024; count++) reader.push(chunk);
  const [found] = reader.push(Buffer.from('\n'));
  assert.ok(found?.kind === 'line' && found.text.length === 7 * 1024 * 1024);
  assert.ok(performance.now() - startedAt < 2000);
});

test('a line without end is told once, and the next line is read', () => {
  const reader = new LineReader(10);
  const kinds = Array.from({ length: 100 }, () => reader.push(Buffer.from('x'.repeat(7)))).flat();
  assert.deepEqual(
    [...kinds, ...reader.push(Buffer.from('\nb\n'))],
    [{ kind: 'tooLong', head: 'x'.repeat(14) }, { kind: 'endless' }, line('b')],
  );
});

test('the rest of a line can be passed over', () => {
  const reader = new LineReader();
  reader.push(Buffer.from('the begin'));
  reader.skipLine();
  assert.deepEqual(reader.push(Buffer.from('ning\nb\n')), [line('b')]);
});

test('a tail keeps the end, from a whole character on', () => {
  const texts = [
    ['abc', 'def', 'g'],
    ['abcdefg'],
    ['', 'x'.repeat(100), 'cdefg'],
    ['c', 'd', 'e', 'f', 'g'],
  ];
  for (const chunks of texts) {
    const tail = new ByteTail(5);
    for (const chunk of chunks) tail.push(Buffer.from(chunk));
    assert.equal(tail.text, 'cdefg');
  }
  const tail = new ByteTail(5);
  tail.push(Buffer.from('ab🎉\r\nc'));
  assert.equal(tail.text, '\nc');
});
