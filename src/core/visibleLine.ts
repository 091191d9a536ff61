/**
 * Characters without a look of their own: control, format, direction, separator and ignorable ones; and the
 * two that mark them.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}‹›]/gu;
/** Asks for the coloured form of the symbol before it; common, and harmless. */
const emojiSelector = '\u{FE0F}';

/**
 * One line in which nothing hides: a line break becomes `⏎`, other control characters get their symbol, and
 * what is invisible or turns the direction of writing becomes its code point, as in `‹U+202E›`.
 */
export function visibleLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(invisible, (char) => (char === emojiSelector ? char : symbolOf(char)));
}

function symbolOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (char === '\n') return '⏎';
  if (char === '\t') return '⇥';
  // The block "Control Pictures" has the symbols of ASCII in its order.
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
