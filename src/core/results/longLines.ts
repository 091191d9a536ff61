const [comma, space, tab, newline] = [0x2c, 0x20, 0x09, 0x0a];

/**
 * Longest line given to the model. `read_file` of the agent cuts longer ones off, and so the end of a JSON
 * text in one line would be lost when the editor moves a large result into a file.
 */
const maxLine = 2000;

/**
 * Breaks lines that are longer than `maxLine`: behind the last white space or comma of the last quarter, else
 * between two characters. Nothing is taken away and the break is not marked; inside a JSON string, which
 * happens only when one string is longer than a line, the text is no JSON any more. Linear in the length.
 */
export function wrapLines(text: string): string {
  const pieces: string[] = [];
  /** Where the piece and where the line begins. */
  let start = 0;
  let line = 0;
  let lineEnd = -1;
  while (text.length - line > maxLine) {
    if (lineEnd < line) {
      const end = text.indexOf('\n', line);
      lineEnd = end < 0 ? text.length : end;
    }
    if (lineEnd - line <= maxLine) {
      line = lineEnd + 1;
      continue;
    }
    line = breakBefore(text, line, line + maxLine);
    pieces.push(text.slice(start, line));
    start = line;
  }
  return start === 0 ? text : [...pieces, text.slice(start)].join('\n');
}

/** Where to break at or before `limit`: at the end of a word or member, and never inside a surrogate pair. */
export function breakBefore(text: string, start: number, limit: number): number {
  const earliest = start + Math.ceil(((limit - start) * 3) / 4);
  for (let at = limit; at > earliest; at--) {
    const code = text.charCodeAt(at - 1);
    if (code === comma || code === space || code === tab || code === newline) return at;
  }
  return characterBorder(text, limit);
}

/** The index itself, or the one before if a surrogate pair lies across it. */
export function characterBorder(text: string, index: number): number {
  const isInside = (text.codePointAt(index - 1) ?? 0) > 0xff_ff;
  return isInside ? index - 1 : index;
}
