/**
 * Splits a command line at spaces, as a shell would for plain words and quotes: `'…'` is literal, in
 * `"…"` a backslash escapes `"` and `\`. Nothing else has a meaning; no variables, no operators.
 * Returns undefined when a quote is left open.
 */
export function splitCommandLine(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index++) {
    const char = line.charAt(index);
    if (quote !== undefined) {
      const next = line.charAt(index + 1);
      if (char === quote) quote = undefined;
      else if (quote === '"' && char === '\\' && (next === '"' || next === '\\')) {
        word += next;
        index++;
      } else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
