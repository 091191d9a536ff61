import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Report } from './schemaNode.ts';

/** The types of JSON Schema. */
const typeNames: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/** What servers write, generated from other languages, and what it means; `any` is no restriction. */
const otherNames = new Map(
  Object.entries({
    any: 'any mixed unknown',
    array: 'list tuple set sequence',
    boolean: 'bool',
    integer: 'int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 long short',
    null: 'none nil',
    number: 'float float32 float64 double decimal num',
    object: 'dict map record struct dictionary',
    string: 'str text char date datetime date-time time uuid uri url email enum password',
  }).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

/** The JSON Schema type meant by a type name, `any`, or `undefined` if nobody can tell. */
function typeOf(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  return typeNames.has(lower) ? lower : otherNames.get(lower);
}

/** The types a `type` keyword means, without repetitions; `[]` is no restriction. */
export function typesMeant(type: JsonValue | undefined): string[] {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  const types = names.flatMap((name) => typeOf(name) ?? []);
  return types.includes('any') ? [] : [...new Set(types)];
}

/**
 * The node with a `type` of JSON Schema: one name, or a list of at least two. Lists with schemas
 * (draft-03) become `anyOf`; unknown names are left out.
 */
export function withKnownType(node: JsonObject, path: string, report: Report): JsonObject {
  if (!Object.hasOwn(node, 'type')) return node;
  const { type, ...rest } = node;
  const listed: JsonValue[] = Array.isArray(type) ? type : [type ?? null];
  const schemas = listed.filter(isJsonObject);
  const types = typesMeant(listed);
  if (
    JSON.stringify(types.length === 1 && !Array.isArray(type) ? types[0] : types) !==
    JSON.stringify(type)
  ) {
    report(
      path,
      `"type" of ${JSON.stringify(type)?.slice(0, 100)} is read as ${types.length === 0 ? 'any type' : types.join(' or ')}`,
    );
  }
  if (schemas.length > 0) {
    const union: JsonObject = { anyOf: [...types.map((one) => ({ type: one })), ...schemas] };
    return rest['anyOf'] === undefined
      ? { ...rest, ...union }
      : { ...rest, allOf: [...(Array.isArray(rest['allOf']) ? rest['allOf'] : []), union] };
  }
  const [only] = types;
  if (only === undefined) return rest;
  return { ...node, type: types.length === 1 ? only : types };
}
