import { isDeeperThan } from '../../base/json.ts';
import { visibleText } from '../visibleText.ts';
import { wrapLines } from './longLines.ts';

/** Most characters and levels of JSON that is laid out in lines: indentation multiplies the two. */
const maxPretty = 1_000_000;
const maxPrettyDepth = 32;
/** Deepest JSON that is shown at all. */
const maxDepth = 500;

/** Any JSON value as text for the model: in lines of bounded length, hidden characters escaped as JSON does it. */
export function jsonText(value: unknown): string {
  const compact = compactJson(value);
  const isPretty = compact.length <= maxPretty && !isDeeperThan(value, maxPrettyDepth);
  const text = isPretty ? (JSON.stringify(value, null, 2) ?? compact) : compact;
  return wrapLines(visibleText(text, true));
}

/** JSON in one line; data that is nested too deeply is named, never an exception. */
export function compactJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
): string {
  if (isDeeperThan(value, maxDepth)) return '[data that is nested too deeply to be shown]';
  return JSON.stringify(value, replacer) ?? 'null';
}

/**
 * A text of the server for the model. A list or an object in one long line is laid out, each of its tokens
 * left as written: reading numbers and writing them again would change long ones.
 */
export function plainText(text: string): string {
  const wrapped = wrapLines(text);
  if (wrapped === text) return visibleText(text);
  const isCandidate = text.length <= maxPretty && /^\s*[[{]/.test(text);
  const value = isCandidate ? parsedJson(text) : undefined;
  if (typeof value !== 'object' || value === null) return wrapLines(visibleText(text));
  const laidOut = isDeeperThan(value, maxPrettyDepth) ? text : layOut(text);
  return wrapLines(visibleText(laidOut, true));
}

/** The value a text is the JSON of; `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  // Most texts are no JSON; the first character tells.
  if (!/^\s*[[{"\-\dtfn]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/** Valid JSON in lines, as `JSON.stringify(value, null, 2)` lays it out. */
function layOut(json: string): string {
  const out: string[] = [];
  let depth = 0;
  let isFirst = false;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  for (const [token] of json.matchAll(tokens)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    if (isFirst !== isEnd) out.push(line());
    if (token === ',') out.push(',', line());
    else out.push(token === ':' ? ': ' : token);
    isFirst = token === '{' || token === '[';
    if (isFirst) depth += 1;
  }
  return out.join('');
}
