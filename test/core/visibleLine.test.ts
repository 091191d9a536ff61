import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleLine } from '../../src/core/visibleLine.ts';

const cases: readonly (readonly [text: string, shown: string])[] = [
  ['plain text, größe 漢字 🎉 שלום', 'plain text, größe 漢字 🎉 שלום'],
  ['❤\u{FE0F}', '❤\u{FE0F}'],
  ['one\r\ntwo\nthree\ttab', 'one⏎two⏎three⇥tab'],
  ['\u{1B}[31mred\u{0}\u{7F}', '␛[31mred␀‹U+007F›'],
  ['a\u{202E}b\u{2066}c', 'a‹U+202E›b‹U+2066›c'],
  ['a\u{200B}b\u{FEFF}c\u{AD}d', 'a‹U+200B›b‹U+FEFF›c‹U+00AD›d'],
  ['\u{E0041}\u{3164}\u{2028}\u{85}', '‹U+E0041›‹U+3164›‹U+2028›‹U+0085›'],
  // The marks cannot be forged.
  ['‹U+200B›', '‹U+2039›U+200B‹U+203A›'],
  ['half a pair \u{D83C}', 'half a pair \u{FFFD}'],
];

for (const [text, shown] of cases) {
  test(`${JSON.stringify(text)} is shown as ${shown}`, () => {
    assert.equal(visibleLine(text), shown);
  });
}
