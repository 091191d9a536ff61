import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { objectUnion } from './objectUnion.ts';
import type { Place } from './place.ts';
import { branchesOf, propertiesOf, requiredOf, without } from './schemaNode.ts';

/** The node with what all members of its `allOf` say as well; `oneOf` is read as `anyOf` on the way. */
export function withMergedAllOf(node: JsonObject, place: Place): JsonObject {
  const { allOf, oneOf, anyOf } = node;
  if (allOf === undefined && oneOf === undefined) return node;
  const parts = branchesOf(allOf);
  let result = without(node, 'allOf', 'oneOf');
  if (Array.isArray(oneOf)) {
    if (anyOf === undefined) result['anyOf'] = oneOf;
    else parts.push(place.settle({ anyOf: oneOf }));
  }
  for (const part of parts) result = mergeSchemas(result, part, place);
  return result;
}

/** A schema that holds what both say; where they contradict each other, what `first` says. */
export function mergeSchemas(first: JsonObject, second: JsonObject, place: Place): JsonObject {
  const other =
    first['anyOf'] !== undefined && second['anyOf'] !== undefined
      ? objectUnion(without(second, 'anyOf'), branchesOf(second['anyOf']), place)
      : second;
  const result: JsonObject = { ...other, ...first };
  for (const [keyword, value] of Object.entries(other)) {
    const own = first[keyword];
    if (own === undefined) continue;
    const merged = mergers.get(keyword)?.(own, value, place);
    if (merged !== undefined) result[keyword] = merged;
  }
  return result;
}

type Merger = (own: JsonValue, other: JsonValue, place: Place) => JsonValue | undefined;

const larger: Merger = (own, other) => Math.max(Number(own), Number(other));
const smaller: Merger = (own, other) => Math.min(Number(own), Number(other));

function commonTypes(own: JsonValue, other: JsonValue): JsonValue | undefined {
  const types = Array.isArray(own) ? own : [own];
  const allowed = Array.isArray(other) ? other : [other];
  const common = types.flatMap((type) => {
    if (allowed.includes(type)) return [type];
    if (type === 'number' && allowed.includes('integer')) return ['integer'];
    return type === 'integer' && allowed.includes('number') ? ['integer'] : [];
  });
  return common.length === 1 ? common[0] : common.length === 0 ? undefined : common;
}

function commonValues(own: JsonValue, other: JsonValue): JsonValue | undefined {
  if (!Array.isArray(own) || !Array.isArray(other)) return undefined;
  const allowed = new Set(other.map((value) => JSON.stringify(value)));
  const common = own.filter((value) => allowed.has(JSON.stringify(value)));
  return common.length > 0 ? common : undefined;
}

const both: Merger = (own, other, place) => {
  if (own === false || other === false) return false;
  if (!isJsonObject(own)) return other;
  return isJsonObject(other) ? place.settle(mergeSchemas(own, other, place)) : own;
};

const mergers: ReadonlyMap<string, Merger> = new Map<string, Merger>([
  ['type', commonTypes],
  ['enum', commonValues],
  [
    'properties',
    (own, other, place) => {
      const [known, more] = [
        propertiesOf({ properties: own }),
        propertiesOf({ properties: other }),
      ];
      const shared = Object.entries(more).map(([name, schema]): [string, JsonValue] => {
        const mine = Object.hasOwn(known, name) ? known[name] : undefined;
        return [name, mine === undefined ? schema : (both(mine, schema, place) ?? schema)];
      });
      return { ...known, ...Object.fromEntries(shared) };
    },
  ],
  [
    'required',
    (own, other) => [
      ...new Set([...requiredOf({ required: own }), ...requiredOf({ required: other })]),
    ],
  ],
  ['additionalProperties', both],
  ['items', both],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    (keyword) => [keyword, larger] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    (keyword) => [keyword, smaller] as const,
  ),
]);
