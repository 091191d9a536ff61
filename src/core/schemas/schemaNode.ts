import { shortened } from '../boundedText.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** A JSON Schema: an object, or `true` (anything) or `false` (nothing). */
export type Schema = JsonObject | boolean;

/** Takes what was repaired: the JSON path (`#/properties/x`) and what was done, in words. */
export type Report = (where: string, message: string) => void;

/** Keywords whose value is an object of schemas. */
export const mapKeywords: ReadonlySet<string> = new Set([
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
/** Keywords whose value is a list of schemas. */
export const listKeywords: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'prefixItems',
]);
/** Keywords whose value is a schema. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

const subschemaKeywords = new Set([...mapKeywords, ...listKeywords, ...schemaKeywords]);

/**
 * The node with each of its direct subschemas replaced by what `visit` makes of it; the node itself if it has
 * none, so the result is not for changing.
 */
export function mapSubschemas(
  node: JsonObject,
  path: string,
  visit: (subschema: JsonValue, path: string) => JsonValue,
): JsonObject {
  const keywords = Object.keys(node).filter((keyword) => subschemaKeywords.has(keyword));
  if (keywords.length === 0) return node;
  const result = { ...node };
  for (const keyword of keywords) {
    const value = node[keyword] ?? null;
    const at = `${path}/${keyword}`;
    if (schemaKeywords.has(keyword)) result[keyword] = visit(value, at);
    else if (mapKeywords.has(keyword) && isJsonObject(value)) {
      const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
        name,
        visit(member, `${at}/${pointerStep(name)}`),
      ]);
      result[keyword] = Object.fromEntries(members);
    } else if (listKeywords.has(keyword) && Array.isArray(value)) {
      result[keyword] = value.map((member, index) => visit(member, `${at}/${index}`));
    }
  }
  return result;
}

/** A key as a step of a JSON pointer, short enough for a message. */
export function pointerStep(key: string): string {
  if (/^[\w.-]{1,100}$/.test(key)) return key;
  return key.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100).toWellFormed();
}

/** The properties of an object schema; `{}` if there are none. */
export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

/** The names in `required`. */
export function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** The node without the named keywords. */
export function without(node: JsonObject, ...keywords: readonly string[]): JsonObject {
  const present = keywords.filter((keyword) => Object.hasOwn(node, keyword));
  const result = { ...node };
  for (const keyword of present) delete result[keyword];
  return result;
}

/** The subschemas under a list keyword that are objects. */
export function branchesOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Longest description given to a model anywhere in a schema. */
export const maxText = 1024;

/** The node with a sentence added to its description, which gives way if both are too long. */
export function withSentence(node: JsonObject, sentence: string): JsonObject {
  const { description } = node;
  const added = sentence.slice(0, 400).toWellFormed();
  if (typeof description !== 'string' || description === '') return { ...node, description: added };
  const start = shortened(description, maxText - added.length - 2);
  return { ...node, description: `${start}${/[.!?…:]$/.test(start) ? '' : '.'} ${added}` };
}

/** JSON of a value for a sentence, cut. */
export function briefJson(value: JsonValue, limit = 200): string {
  return shortened(JSON.stringify(value), limit);
}
