/** Colours and styles of a terminal (ECMA-48, "SGR"): they carry nothing a model could use. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const terminalColour = /(?:\u001B\[|\u009B)[\d;:]*m/g;

/** Scripts whose letters are joined or kept apart by U+200C and U+200D in ordinary writing. */
const joiningScripts = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
/** Of the format characters, those that are drawn or do no harm: soft hyphen and number signs of some scripts. */
const harmless = String.raw`\u00AD\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}\u{13430}-\u{1343F}`;
const variation = String.raw`[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;
const hidden = new RegExp(
  [
    // Control and format characters: C0, C1, direction, zero width, byte order mark; and blank letters.
    String.raw`[[\p{Cc}\p{Cf}\u3164\uFFA0]--[\t\n\r\u200C\u200D\u{E0020}-\u{E007F}${harmless}]]`,
    String.raw`\r(?!\n)`,
    String.raw`(?<![${joiningScripts}])\u200C`,
    String.raw`(?<![${joiningScripts}\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D`,
    // One variation selector belongs to the character before it; more of them can hide a text.
    String.raw`(?<=${variation})${variation}`,
    // Tag letters after a black flag are the flags of England, Scotland and Wales.
    String.raw`(?<!\u{1F3F4}[\u{E0061}-\u{E007A}]{0,5})[\u{E0020}-\u{E007F}]`,
  ].join('|'),
  'gv',
);
/** Whatever may be hidden; found fast, and most texts have none of it. */
const suspicious = new RegExp(String.raw`[[\p{Cc}\p{Cf}\u3164\uFFA0${variation}]--[\t\n]]`, 'v');
const control = /[[\p{Cc}\p{Cf}]--[\t\n\r]]/gv;
/** So many characters are written out; a text with more is binary data, and each further one becomes U+FFFD. */
const maxEscapes = 10_000;

/**
 * The text as a person would have to see it to know what the model reads: lone surrogates become U+FFFD,
 * terminal colours go, and characters that are drawn as nothing or change the order of others (controls,
 * bidirectional and zero-width characters, tags) become `\u{202E}`. Tabs, line ends, joiners inside emoji and inside
 * words of scripts that need them, and single variation selectors stay. Linear in the length.
 * In JSON the escape is JSON's own, so that it stays JSON.
 */
export function visibleText(text: string, isJson = false): string {
  const wellFormed = text.toWellFormed();
  const whole = wellFormed.startsWith('\uFEFF') ? wellFormed.slice(1) : wellFormed;
  if (!suspicious.test(whole)) return whole;
  const plain = whole.replace(terminalColour, '');
  const pieces: string[] = [];
  let start = 0;
  for (const { 0: character, index } of plain.matchAll(hidden)) {
    if (pieces.length >= 2 * maxEscapes) break;
    pieces.push(plain.slice(start, index), isJson ? jsonEscape(character) : escape(character));
    start = index + character.length;
  }
  const rest = plain.slice(start);
  pieces.push(pieces.length >= 2 * maxEscapes ? rest.replace(control, '\uFFFD') : rest);
  return pieces.join('');
}

function escape(character: string): string {
  return `\\u{${hex(character.codePointAt(0) ?? 0)}}`;
}

function jsonEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${hex(unit.charCodeAt(0)).padStart(4, '0')}`)
    .join('');
}

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}
