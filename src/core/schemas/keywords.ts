import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { isHarmlessPattern } from './patterns.ts';
import type { Place } from './place.ts';
import { shortened } from '../boundedText.ts';
import { without } from './schemaNode.ts';

/** Keywords that stand beside any other and restrict nothing. */
export const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default']);
const ofNumbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ofTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['array', ['items', 'minItems', 'maxItems', 'uniqueItems']],
  ['boolean', []],
  ['integer', ofNumbers],
  ['null', []],
  ['number', ofNumbers],
  ['object', ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['string', ['enum', 'minLength', 'maxLength', 'pattern', 'format']],
]);

/** The keywords of the node that say something about values of that type. */
export function keywordsOfType(node: JsonObject, type: string): JsonObject {
  const wanted = ofTypes.get(type) ?? [];
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => wanted.includes(keyword)));
}

/**
 * The node with only the keywords that mean something for its type, and in a form no model API refuses. A
 * node without a type gets the one its keywords are about.
 */
export function withKeywordsOfType(node: JsonObject, place: Place): JsonObject {
  const own = Object.fromEntries(
    Object.entries(node).filter(([keyword]) => annotations.has(keyword)),
  );
  if (Array.isArray(node['anyOf'])) return { ...own, anyOf: node['anyOf'] };
  const type = typeof node['type'] === 'string' ? node['type'] : impliedType(node);
  if (type === undefined) return own;
  // In the order they were written in, as far as they stay.
  const about = keywordsOfType(node, type);
  const typed: JsonObject = Object.hasOwn(node, 'type') ? {} : { type };
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === 'type' || Object.hasOwn(own, keyword) || Object.hasOwn(about, keyword)) {
      typed[keyword] = value;
    }
  }
  return withPossibleBounds(
    type === 'string' ? plainText(typed, place) : withItems(typed, place),
    place,
  );
}

function impliedType(node: JsonObject): string | undefined {
  for (const type of ['object', 'array', 'string', 'number']) {
    if (Object.keys(keywordsOfType(node, type)).length > 0) return type;
  }
  return undefined;
}

function withItems(node: JsonObject, { path, report }: Place): JsonObject {
  if (node['type'] !== 'array' || isJsonObject(node['items'])) return node;
  report(path, 'array without "items": any item is allowed');
  return { ...node, items: {} };
}

/** `format` and `pattern` as every model API and validator takes them; the others are told in words. */
function plainText(node: JsonObject, { path, report, say }: Place): JsonObject {
  const { format, pattern } = node;
  let result = node;
  if (typeof format === 'string' && format !== 'date-time') {
    result = without(result, 'format');
    report(path, `"format" of "${format.slice(0, 40).toWellFormed()}" is told in words`);
    if (/^[\w-]{1,40}$/.test(format)) result = say(result, `Format: ${format}.`);
  }
  if (typeof pattern === 'string' && !isHarmlessPattern(pattern)) {
    result = say(without(result, 'pattern'), `Must match /${shortened(pattern, 300)}/.`);
    report(path, 'the pattern can take very long or is not valid everywhere: told in words');
  }
  return result;
}

const bounds = [
  ['minItems', 'maxItems'],
  ['minLength', 'maxLength'],
  ['minProperties', 'maxProperties'],
] as const;

function withPossibleBounds(node: JsonObject, { path, report }: Place): JsonObject {
  let result = node;
  for (const [least, most] of bounds) {
    if (Number(result[least] ?? 0) <= Number(result[most] ?? Infinity)) continue;
    report(path, `"${least}" is above "${most}": both are left out`);
    result = without(result, least, most);
  }
  return result;
}
