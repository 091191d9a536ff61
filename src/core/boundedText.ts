/** A text of a server, cut to so many characters; `undefined` for anything else and for the empty text. */
export function boundedText(value: unknown, length: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return value.slice(0, length).toWellFormed();
}

/** The text cut to so many characters, with an ellipsis if it was longer. */
export function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}

/** The text on one line, cut to so many characters with an ellipsis. */
export function oneLine(text: string, length: number): string {
  // Cut first: the rest of a very long text need not be looked at.
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return shortened(line.toWellFormed(), length);
}
