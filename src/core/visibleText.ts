/** What is not seen but read by a model, or changes how other text is shown: controls, bidi marks, fillers, tags, … */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/gu;

/**
 * The text with every hidden character written as `\u{…}`. Line ends become line feeds; emoji, and the joiners
 * inside words of scripts that have them, stay as they are.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .toWellFormed()
    .replace(hidden, (character, offset: number, whole: string) => {
      if (character === '\n' || character === '\t' || isJoiner(character, offset, whole)) {
        return character;
      }
      return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
    });
}

const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}#*\d]\uFE0F?$/u;
const joinedLetter = /(?![\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}])[\p{L}\p{M}]$/u;

function isJoiner(character: string, offset: number, whole: string): boolean {
  const before = whole.slice(Math.max(0, offset - 3), offset);
  const after = whole.slice(offset + 1, offset + 3);
  if (character === '\uFE0F') return pictograph.test(before) && !before.endsWith('\uFE0F');
  if (character !== '\u200C' && character !== '\u200D') return false;
  if (joinedLetter.test(before)) return /^[\p{L}\p{M}]/u.test(after);
  return (
    character === '\u200D' && pictograph.test(before) && /^\p{Extended_Pictographic}/u.test(after)
  );
}
