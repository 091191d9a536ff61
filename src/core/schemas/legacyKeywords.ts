import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { requiredOf, without, type Report } from './schemaNode.ts';

/**
 * The node with the keywords of older drafts (03 to 2019-09) and of OpenAPI said in those of draft
 * 2020-12. Its subschemas are left as they are.
 */
export function withModernKeywords(node: JsonObject, path: string, report: Report): JsonObject {
  const steps = [requiredFlags, exclusiveBounds, renamedKeywords, tuples, dependencies, nullable];
  return steps.reduce((current, step) => step(current, path, report), node);
}

const isTrue = (value: JsonValue | undefined): boolean => value === true || value === 'true';

/** `required: true` of a property (draft-03) says what the list of its object says later. */
function requiredFlags(node: JsonObject, path: string, report: Report): JsonObject {
  const { properties, required } = node;
  let result = typeof required === 'boolean' ? without(node, 'required') : node;
  if (!isJsonObject(properties)) return result;
  const flagged = Object.entries(properties).filter(
    ([, member]) => isJsonObject(member) && isFlag(member['required']),
  );
  if (flagged.length === 0) return result;
  for (const [name] of flagged) {
    report(
      `${path}/properties/${name.slice(0, 100)}`,
      '"required" belongs in a list of the object',
    );
  }
  const cleaned = flagged.map(([name, member]) => [
    name,
    without(member as JsonObject, 'required'),
  ]);
  const names = flagged
    .filter(([, member]) => isJsonObject(member) && isTrue(member['required']))
    .map(([name]) => name);
  result = { ...result, properties: { ...properties, ...Object.fromEntries(cleaned) } };
  if (names.length === 0) return result;
  return { ...result, required: [...new Set([...requiredOf(result), ...names])] };
}

function isFlag(value: JsonValue | undefined): boolean {
  return typeof value === 'boolean' || value === 'true' || value === 'false';
}

/** `exclusiveMinimum: true` (draft-04) qualifies `minimum`; later it is the bound itself. */
function exclusiveBounds(node: JsonObject, path: string, report: Report): JsonObject {
  let result = node;
  for (const bound of ['minimum', 'maximum'] as const) {
    const exclusive = `exclusive${bound === 'minimum' ? 'Minimum' : 'Maximum'}`;
    const flag = node[exclusive];
    const limit = node[bound];
    if (typeof flag !== 'boolean') continue;
    report(path, `"${exclusive}" of an old draft`);
    result = without(result, exclusive);
    if (flag && typeof limit === 'number')
      result = { ...without(result, bound), [exclusive]: limit };
  }
  return result;
}

const newNames = new Map([
  ['divisibleBy', 'multipleOf'],
  ['$recursiveRef', '$ref'],
  ['$dynamicRef', '$ref'],
  ['$dynamicAnchor', '$anchor'],
  ['id', '$id'],
]);

function renamedKeywords(node: JsonObject): JsonObject {
  let result = node;
  for (const [old, name] of newNames) {
    const value = result[old];
    if (value === undefined) continue;
    result = without(result, old);
    if (!Object.hasOwn(result, name)) result[name] = value;
  }
  const { disallow, extends: base } = result;
  if (disallow !== undefined) {
    result = { ...without(result, 'disallow'), not: { type: disallow } };
  }
  if (base !== undefined) {
    const all = Array.isArray(result['allOf']) ? result['allOf'] : [];
    result = { ...without(result, 'extends'), allOf: [...all, ...listOf(base)] };
  }
  return result;
}

/** A list in `items` is `prefixItems` since 2020-12, and what follows it `items`. */
function tuples(node: JsonObject): JsonObject {
  const { items, additionalItems } = node;
  const result = without(node, 'additionalItems');
  if (!Array.isArray(items)) return result;
  const rest = additionalItems === undefined ? {} : { items: additionalItems };
  if (items.length === 0) return { ...without(result, 'items'), ...rest };
  return { ...without(result, 'items'), prefixItems: items, ...rest };
}

function dependencies(node: JsonObject): JsonObject {
  const old = node['dependencies'];
  if (old === undefined) return node;
  const result = without(node, 'dependencies');
  if (!isJsonObject(old)) return result;
  const lists = Object.entries(old).filter(
    ([, value]) => typeof value === 'string' || Array.isArray(value),
  );
  const schemas = Object.entries(old).filter(([, value]) => isJsonObject(value));
  return {
    ...(lists.length > 0 && { dependentRequired: Object.fromEntries(lists) }),
    ...(schemas.length > 0 && { dependentSchemas: Object.fromEntries(schemas) }),
    ...result,
  };
}

const listOf = (one: JsonValue, ...more: readonly JsonValue[]): JsonValue[] => [
  ...(Array.isArray(one) ? one : [one]),
  ...more,
];

/** `nullable` of OpenAPI 3.0. */
function nullable(node: JsonObject): JsonObject {
  if (!Object.hasOwn(node, 'nullable')) return node;
  const result = without(node, 'nullable');
  if (node['nullable'] !== true) return result;
  const { type, anyOf, oneOf, $ref, enum: values } = result;
  if (Array.isArray(values) && !values.includes(null)) result['enum'] = [...values, null];
  if (type !== undefined) return { ...result, type: listOf(type, 'null') };
  if (Array.isArray(anyOf)) return { ...result, anyOf: [...anyOf, { type: 'null' }] };
  if (Array.isArray(oneOf)) return { ...result, oneOf: [...oneOf, { type: 'null' }] };
  if ($ref === undefined) return result;
  return { ...without(result, '$ref'), anyOf: [{ $ref }, { type: 'null' }] };
}
