import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Problem } from '../problem.ts';

/** Deepest nesting handed to a model; what lies below becomes "anything". */
const maxDepth = 64;

/**
 * The input schema as it is given to the editor and the model: an object at the root, every array with
 * `items`, `required` only of known properties, no empty or repeated `enum`, no `$schema`. One schema
 * that breaks these rules makes the editor refuse the whole chat request, so it is repaired here. Each
 * repair is reported with its JSON path.
 */
export function modelSchema(schema: JsonObject): { schema: JsonObject; repairs: Problem[] } {
  const repairs: Problem[] = [];
  const report = (where: string, message: string): void => {
    repairs.push({ where, message });
  };
  const repaired = repairNode({ ...schema, type: 'object' }, '#', 0, report);
  if (!isJsonObject(repaired['properties'])) repaired['properties'] = {};
  return { schema: repaired, repairs };
}

type Report = (where: string, message: string) => void;

function repairNode(node: JsonObject, path: string, depth: number, report: Report): JsonObject {
  if (depth > maxDepth) {
    report(path, `nested deeper than ${maxDepth} levels: read as "anything"`);
    return {};
  }
  const result: JsonObject = Object.fromEntries(
    Object.entries(node)
      .filter(([keyword]) => keyword !== '$schema')
      .map(([keyword, value]) => [
        keyword,
        repairKeyword(keyword, value, `${path}/${keyword}`, depth, report),
      ]),
  );
  if (isArraySchema(result) && !isJsonObject(result['items'])) {
    if (result['items'] === undefined) report(path, 'array without "items": any item is allowed');
    result['items'] = Array.isArray(result['items']) ? { anyOf: result['items'] } : {};
  }
  repairRequired(result, path, report);
  repairEnum(result, path, report);
  return result;
}

function repairKeyword(
  keyword: string,
  value: JsonValue,
  path: string,
  depth: number,
  report: Report,
): JsonValue {
  if (isJsonObject(value)) {
    if (mapKeywords.has(keyword)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          isJsonObject(member)
            ? repairNode(member, `${path}/${name}`, depth + 1, report)
            : repairBoolean(member, `${path}/${name}`, report),
        ]),
      );
    }
    return schemaKeywords.has(keyword) ? repairNode(value, path, depth + 1, report) : value;
  }
  if (Array.isArray(value) && listKeywords.has(keyword)) {
    return value.map((member, index) =>
      isJsonObject(member)
        ? repairNode(member, `${path}/${index}`, depth + 1, report)
        : repairBoolean(member, `${path}/${index}`, report),
    );
  }
  return value;
}

const mapKeywords = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
const schemaKeywords = new Set([
  'additionalItems',
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
const listKeywords = new Set(['anyOf', 'oneOf', 'allOf', 'items', 'prefixItems']);

/** `true` as a schema means "anything"; the model APIs want it spelled `{}`. Anything else is no schema. */
function repairBoolean(value: JsonValue, path: string, report: Report): JsonValue {
  if (value === false) return { not: {} };
  if (value !== true) report(path, 'not a schema: read as "anything"');
  return {};
}

function isArraySchema({ type, prefixItems }: JsonObject): boolean {
  return (
    type === 'array' ||
    (Array.isArray(type) && type.includes('array')) ||
    Array.isArray(prefixItems)
  );
}

function repairRequired(node: JsonObject, path: string, report: Report): void {
  const { required, properties } = node;
  if (required === undefined) return;
  const known = isJsonObject(properties) ? properties : {};
  const names = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string' && Object.hasOwn(known, name))
    : [];
  const unique = [...new Set(names)];
  if (Array.isArray(required) && unique.length === required.length) return;
  report(path, '"required" must list existing properties, each once: the others were left out');
  if (unique.length > 0) node['required'] = unique;
  else delete node['required'];
}

function repairEnum(node: JsonObject, path: string, report: Report): void {
  const { enum: values } = node;
  if (values === undefined) return;
  const unique = Array.isArray(values)
    ? [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
    : [];
  if (Array.isArray(values) && unique.length === values.length && unique.length > 0) return;
  report(path, '"enum" must list different values');
  if (unique.length > 0) node['enum'] = unique;
  else delete node['enum'];
}
