import type { ToolResultPart } from '../tools/toolCall.ts';
import { breakBefore } from './longLines.ts';

/**
 * Longest text part. The editor's agent moves a part of more than 8,192 characters into a file that the model must
 * open first; several shorter ones pass as they are.
 */
const maxPart = 8000;

/**
 * Text parts that pass inline, at most `maxBlocks` parts in all: texts are split at the ends of lines, and where
 * that makes too many parts, neighbours are joined. A text that another follows ends with a line end, because the
 * agent puts nothing between them. Empty texts go. Images stay as they are.
 */
export function resultBlocks(
  parts: readonly ToolResultPart[],
  maxBlocks: number,
): ToolResultPart[] {
  const filled = separated(parts);
  const split = filled.flatMap((part): ToolResultPart[] =>
    part.kind === 'text' ? splitText(part.text).map((text) => ({ kind: 'text', text })) : [part],
  );
  if (split.length <= maxBlocks) return split;
  const packed = joined(split, maxPart);
  return packed.length <= maxBlocks ? packed : joined(filled, Infinity);
}

/** The same parts with all texts between two images made one. */
export function joinedTexts(parts: readonly ToolResultPart[]): ToolResultPart[] {
  return joined(separated(parts), Infinity);
}

function separated(parts: readonly ToolResultPart[]): ToolResultPart[] {
  const filled = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return filled.map((part, index) => {
    const isOpen = part.kind === 'text' && !part.text.endsWith('\n');
    if (!isOpen || filled[index + 1]?.kind !== 'text') return part;
    return { kind: 'text', text: `${part.text}\n` };
  });
}

function splitText(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > maxPart) {
    const limit = start + maxPart;
    const line = text.lastIndexOf('\n', limit - 1) + 1;
    const end = line > start + maxPart / 2 ? line : breakBefore(text, start, limit);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}

/** Joins neighbouring texts as long as they are not longer than `limit` together. */
function joined(parts: readonly ToolResultPart[], limit: number): ToolResultPart[] {
  const out: ToolResultPart[] = [];
  let run: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (run.length > 0) out.push({ kind: 'text', text: run.join('') });
    run = [];
    length = 0;
  };
  for (const part of parts) {
    if (part.kind === 'image') {
      flush();
      out.push(part);
      continue;
    }
    if (length + part.text.length > limit) flush();
    run.push(part.text);
    length += part.text.length;
  }
  flush();
  return out;
}
