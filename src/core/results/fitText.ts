import { characterBorder } from './longLines.ts';

/** A text of a result with its rank: lower ones give way first. */
export interface RankedText {
  readonly text: string;
  readonly priority: number;
}

/** Of what is cut, this much of the room is for the beginning; the rest is for the end. */
const headShare = 0.6;
/** How far a cut is moved to fall on the end of a line. */
const lineSlack = 400;

/** How many characters all texts have together. */
export function lengthOf(texts: readonly RankedText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * Cuts texts to `room` characters together, what `note` says included. Texts of high priority have the room first; the
 * first priority that does not fit whole keeps its beginning and its end, as if its texts were one; lower ones
 * go. At the first place where something is missing stands the note, made of the number of characters left out.
 * Gives one text for each given, empty where nothing is left of it.
 */
export function fitText(
  texts: readonly RankedText[],
  room: number,
  note: (missing: number) => string,
): string[] {
  const total = lengthOf(texts);
  if (total <= room) return texts.map(({ text }) => text);
  // Two line ends stand around the note.
  let left = Math.max(0, room - note(total).length - 2);
  const kept: (readonly [head: string, tail: string])[] = texts.map(() => ['', '']);
  const ranks = [...new Set(texts.map(({ priority }) => priority))].toSorted((a, b) => b - a);
  for (const rank of ranks) {
    const members = texts.flatMap(({ text, priority }, index) =>
      priority === rank ? [{ text, index }] : [],
    );
    const length = members.reduce((sum, { text }) => sum + text.length, 0);
    const head = length <= left ? length : Math.ceil(left * headShare);
    const tail = length <= left ? 0 : left - head;
    left = Math.max(0, left - length);
    let before = 0;
    for (const { text, index } of members) {
      kept[index] = ends(text, head - before, before + text.length - (length - tail));
      before += text.length;
    }
  }
  const missing = total - kept.reduce((sum, [head, tail]) => sum + head.length + tail.length, 0);
  let isSaid = false;
  return kept.map(([head, tail], index) => {
    if (head.length + tail.length === (texts[index]?.text.length ?? 0)) return head + tail;
    const gap = isSaid ? (head === '' || tail === '' ? '' : '[…]') : note(missing);
    isSaid = true;
    return [head.replace(/\n$/, ''), gap, tail].filter((part) => part !== '').join('\n');
  });
}

/** The first and the last so many characters of a text; all of it as the head where the two meet. */
function ends(text: string, first: number, last: number): readonly [head: string, tail: string] {
  const head = Math.min(Math.max(first, 0), text.length);
  const tail = Math.min(Math.max(last, 0), text.length);
  if (head + tail >= text.length) return [text, ''];
  return [text.slice(0, headEnd(text, head)), text.slice(tailStart(text, text.length - tail))];
}

function headEnd(text: string, end: number): number {
  const line = text.lastIndexOf('\n', end - 1) + 1;
  return end > 0 && line > 0 && end - line <= Math.min(lineSlack, end / 4)
    ? line
    : characterBorder(text, end);
}

function tailStart(text: string, start: number): number {
  const line = text.indexOf('\n', start) + 1;
  const slack = Math.min(lineSlack, (text.length - start) / 4);
  if (line > 0 && line - start <= slack) return line;
  return characterBorder(text, start) < start ? start + 1 : start;
}
