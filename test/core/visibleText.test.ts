import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleText } from '../../src/core/visibleText.ts';

const kept: readonly string[] = [
  '',
  'plain text\twith tabs\nand lines\r\nof both kinds',
  'größe, 日本語, عربي, עברית',
  '🎉 👩🏽‍🚀 🏳️‍🌈 👨‍👩‍👧‍👦 ❤️ 1️⃣',
  '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  'می\u200Cخواهم', // Persian: the joiner changes the word.
  'क्\u200Dष',
  'soft\u00ADhyphen',
  'non-breaking\u00A0space',
  '葛\u{E0100}',
];

test('what belongs to ordinary writing stays as it is', () => {
  assert.deepEqual(
    kept.map((value) => visibleText(value)),
    kept,
  );
});

const shown: readonly (readonly [hidden: string, visible: string])[] = [
  ['a\u0000b', 'a\\u{0}b'],
  ['\u0007\b\u007f\u0085\u009f', '\\u{7}\\u{8}\\u{7F}\\u{85}\\u{9F}'],
  ['good\rbad', 'good\\u{D}bad'],
  ['user\u202Egpj.exe', 'user\\u{202E}gpj.exe'],
  ['\u2066x\u2069\u200E\u200F\u061C', '\\u{2066}x\\u{2069}\\u{200E}\\u{200F}\\u{61C}'],
  ['ze\u200Bro\u2060\u2063', 'ze\\u{200B}ro\\u{2060}\\u{2063}'],
  ['mid\uFEFFdle', 'mid\\u{FEFF}dle'],
  ['\uFEFFbeginning', 'beginning'],
  ['a\u200Db\u200Cc', 'a\\u{200D}b\\u{200C}c'],
  ['hi\u{E0049}\u{E0067}\u{E006E}', 'hi\\u{E0049}\\u{E0067}\\u{E006E}'],
  ['x\uFE00\uFE01\u{E0101}', 'x\uFE00\\u{FE01}\\u{E0101}'],
  ['blank\u3164', 'blank\\u{3164}'],
  ['\u001B[1;31mred\u001B[0m and \u009B32mgreen', 'red and green'],
  ['\u001B[2Kgone \u001B]8;;http://x\u0007link', '\\u{1B}[2Kgone \\u{1B}]8;;http://x\\u{7}link'],
  ['half \ud83d and \udc00', 'half \ufffd and \ufffd'],
];

test('T57 what is hidden is written out', () => {
  assert.deepEqual(
    shown.map(([hidden]) => visibleText(hidden)),
    shown.map(([, visible]) => visible),
  );
});

test('in JSON the escapes are those of JSON', () => {
  const value = { '\u202Ekey': 'tag \u{E0041} \u200B' };
  const json = visibleText(JSON.stringify(value), true);
  assert.deepEqual([JSON.parse(json), /[\u202E\u200B]/.test(json)], [value, false]);
});

test('binary data does not grow without bound', () => {
  const visible = visibleText('a\0'.repeat(100_000));
  assert.ok(visible.length < 300_000, String(visible.length));
  assert.ok(!visible.includes('\0') && visible.endsWith('a\ufffd'));
});
