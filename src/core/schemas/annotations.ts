import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Place } from './place.ts';
import { shortened } from '../boundedText.ts';
import { briefJson, maxText, withSentence, without } from './schemaNode.ts';

/** Longest text of a title. */
const maxTitle = 256;

/** The node with titles and descriptions fit to show, and with other annotations told in words. */
export function withCleanAnnotations(node: JsonObject, { path, report }: Place): JsonObject {
  let result = node;
  for (const [keyword, limit] of [
    ['title', maxTitle],
    ['description', maxText],
  ] as const) {
    const text = result[keyword];
    if (typeof text !== 'string') continue;
    const visible = withoutHidden(text);
    const clean = shortened(visible, limit);
    if (clean === text) continue;
    if (visible !== text.trim()) report(path, `hidden characters in "${keyword}" are taken out`);
    if (clean !== visible) report(path, `"${keyword}" is cut to ${limit} characters`);
    result = clean === '' ? without(result, keyword) : { ...result, [keyword]: clean };
  }
  if (result['description'] === '' || result['title'] === '') {
    result = without(result, ...['title', 'description'].filter((name) => result[name] === ''));
  }
  return withTold(withPlainDefault(result));
}

/** The text without characters that steer or hide text instead of being read. */
export function withoutHidden(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => (kept.has(character) ? character : ''))
    .trim();
}

/** Line breaks, tabs, and the joiners of Persian, Indian scripts and emoji. */
const kept = new Set(['\n', '\t', '\u200c', '\u200d']);

function withPlainDefault(node: JsonObject): JsonObject {
  const value = node['default'];
  if (value === undefined || isPlain(value)) return node;
  return withSentence(without(node, 'default'), `Default: ${briefJson(value)}.`);
}

function isPlain(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length <= 20 && value.every((one) => isScalar(one));
  return isScalar(value);
}

function isScalar(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length <= maxText && value.isWellFormed();
  return typeof value !== 'object' || value === null;
}

function withTold(node: JsonObject): JsonObject {
  const { examples, example, deprecated, contentEncoding } = node;
  let result = without(node, 'examples', 'example', 'deprecated', 'contentEncoding');
  const shown = example ?? examples;
  if (typeof contentEncoding === 'string') {
    result = withSentence(result, `Encoded as ${contentEncoding.slice(0, 40)}.`);
  }
  if (shown !== undefined && briefJson(shown) !== '[]') {
    result = withSentence(
      result,
      `Example: ${briefJson(Array.isArray(shown) && shown.length === 1 ? (shown[0] ?? null) : shown)}.`,
    );
  }
  return deprecated === true ? withSentence(result, 'Deprecated.') : result;
}
