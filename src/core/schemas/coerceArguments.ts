import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { definitionOf, modernSchema } from './modernSchema.ts';
import { toServerArguments, type PropertyAliases } from './propertyAliases.ts';
import { propertiesOf, requiredOf } from './schemaNode.ts';

/** Deepest nesting of arguments, in levels of JSON. */
export const maxArgumentDepth = 64;
/** Most schemas that say something about one value. */
const maxSchemas = 100;
/** Longest text that is read as JSON. */
const maxJson = 1024 * 1024;

/**
 * What a caller gave, as arguments: nothing (`null`, `undefined`, an empty text) is no arguments, and text that is a JSON
 * object is that object. `undefined` for anything else.
 */
export function readArguments(input: unknown): JsonObject | undefined {
  if (input === undefined || input === null) return {};
  if (isJsonObject(input)) return input;
  if (typeof input !== 'string' || input.length > maxJson * 8) return undefined;
  const text = input.trim();
  if (text === '' || text === 'null') return {};
  const parsed = parsedJson(text);
  return isJsonObject(parsed) ? parsed : undefined;
}

/**
 * Arguments changed where a value has a type the server's schema does not allow, and means one it does: `"12"` → 12,
 * `"true"` → true, 12 → `"12"`, text that is JSON → the object or array; a `null` that is neither
 * allowed nor required is left out. One value where an array is wanted stays: it may be meant otherwise.
 */
export function coerceArguments(schema: JsonObject, args: JsonObject): JsonObject {
  return coerceModern(modernSchema(schema), args, undefined);
}

/** The same for a modern schema. */
export function coerceModern(
  modern: JsonObject,
  args: JsonObject,
  aliases: PropertyAliases | undefined,
): JsonObject {
  const coerce = (value: JsonObject): JsonObject => {
    const coerced = coerceValue(value, [modern], modern);
    return isJsonObject(coerced) ? coerced : value;
  };
  const coerced = coerce(args);
  // What came out of texts may use aliases, and only under its real name a value has a schema.
  return aliases === undefined ? coerced : coerce(toServerArguments(aliases, coerced));
}

function coerceValue(value: JsonValue, schemas: readonly JsonValue[], root: JsonObject): JsonValue {
  const nodes = nodesOf(schemas, root);
  const types = typesOf(nodes);
  const fitting = types === undefined || isOfType(value, types) ? value : withType(value, types);
  if (Array.isArray(fitting)) {
    return fitting.map((item, index) => coerceValue(item, itemSchemas(nodes, index), root));
  }
  if (!isJsonObject(fitting)) return fitting;
  const required = new Set(nodes.flatMap((node) => requiredOf(node)));
  const entries = Object.entries(fitting).flatMap(([name, member]): [string, JsonValue][] => {
    const inside = memberSchemas(nodes, name);
    if (member === null && !required.has(name)) {
      const allowed = typesOf(nodesOf(inside, root));
      if (allowed !== undefined && !allowed.has('null')) return [];
    }
    return [[name, coerceValue(member, inside, root)]];
  });
  return Object.fromEntries(entries);
}

/** The object schemas that may apply to one value: through references and combinators. */
function nodesOf(schemas: readonly JsonValue[], root: JsonObject): JsonObject[] {
  const found = new Set<JsonObject>();
  const queue = [...schemas];
  for (const schema of queue) {
    if (!isJsonObject(schema) || found.has(schema) || found.size >= maxSchemas) continue;
    found.add(schema);
    const { $ref, anyOf, oneOf, allOf } = schema;
    if ($ref !== undefined) queue.push(definitionOf(root, $ref) ?? true);
    for (const list of [anyOf, oneOf, allOf]) if (Array.isArray(list)) queue.push(...list);
  }
  return [...found];
}

/** The types named for a value; `undefined` if it may have any. */
function typesOf(nodes: readonly JsonObject[]): Set<string> | undefined {
  const types = new Set<string>();
  for (const node of nodes) {
    const { type, enum: values, const: only } = node;
    const named = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
    const listed = Array.isArray(values) ? values : only === undefined ? [] : [only];
    for (const name of named) types.add(name);
    if (named.length === 0) for (const value of listed) types.add(typeOf(value));
    const isFree = named.length === 0 && listed.length === 0;
    if (isFree && !combinators.some((keyword) => node[keyword] !== undefined)) return undefined;
  }
  return types.size === 0 ? undefined : types;
}

const combinators = ['$ref', 'anyOf', 'oneOf', 'allOf'] as const;

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function isOfType(value: JsonValue, types: ReadonlySet<string>): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function withType(value: JsonValue, types: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'string') {
    const isScalar = typeof value === 'number' || typeof value === 'boolean';
    return isScalar && types.has('string') ? String(value) : value;
  }
  const meant = valueMeant(value.trim());
  return meant !== undefined && isOfType(meant, types) ? meant : value;
}

/** What a text says if it is not meant as a text. */
function valueMeant(text: string): JsonValue | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[[{]/.test(text)) return parsedJson(text);
  const number = Number(text);
  // `007` and numbers too long to be exact stay texts.
  return Number.isFinite(number) && String(number) === text ? number : undefined;
}

function parsedJson(text: string): JsonValue | undefined {
  try {
    const parsed = JSON.parse(text) as JsonValue;
    return isDeeperThan(parsed, maxArgumentDepth) ? undefined : parsed;
  } catch {
    return undefined;
  }
}

function itemSchemas(nodes: readonly JsonObject[], index: number): JsonValue[] {
  return nodes.flatMap(({ prefixItems, items }) => {
    const own = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
    return own ?? items ?? [];
  });
}

function memberSchemas(nodes: readonly JsonObject[], name: string): JsonValue[] {
  const known = nodes.flatMap((node) => {
    const properties = propertiesOf(node);
    return Object.hasOwn(properties, name) ? (properties[name] ?? []) : [];
  });
  return known.length > 0 ? known : nodes.flatMap((node) => node['additionalProperties'] ?? []);
}
