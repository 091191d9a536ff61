import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Place } from './place.ts';
import { branchesOf, briefJson, propertiesOf, requiredOf, without } from './schemaNode.ts';

/**
 * The node without the keywords model APIs refuse or ignore (`if`, `not`, `dependentRequired`,
 * `patternProperties`, …): told in words, and the properties they introduce become optional ones.
 */
export function withLostRulesTold(node: JsonObject, place: Place): JsonObject {
  const lost = lostKeywords.filter((keyword) => Object.hasOwn(node, keyword));
  if (lost.length === 0) return node;
  const sentences = lost.flatMap((keyword) => {
    const value = node[keyword];
    return isJsonObject(value) ? (phrasings[keyword]?.(value, node) ?? []) : [];
  });
  let result = without(node, ...lost);
  if (node['unevaluatedProperties'] === false) result['additionalProperties'] ??= false;
  result = withPatternProperties(withIntroduced(result, node), node, place);
  if (sentences.length === 0) return result;
  place.report(place.path, `${lost.map((keyword) => `"${keyword}"`).join(', ')} told in words`);
  return sentences.reduce((current, sentence) => place.say(current, sentence), result);
}

const lostKeywords = [
  'if',
  'then',
  'else',
  'not',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'contains',
  'minContains',
  'maxContains',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;

type Phrasing = (value: JsonObject, node: JsonObject) => string[];

const phrasings: Partial<Record<(typeof lostKeywords)[number], Phrasing>> = {
  if: (value, { then, else: otherwise }) => {
    const parts = [
      ...(then === undefined ? [] : [` then ${phrase(then)}`]),
      ...(otherwise === undefined ? [] : [` else ${phrase(otherwise)}`]),
    ];
    return parts.length === 0 ? [] : [`If ${phrase(value)}${parts.join(';')}.`];
  },
  not: (value) => [`Not allowed: ${phrase(value)}.`],
  dependentRequired: (value) =>
    Object.entries(value).flatMap(([name, names]) => {
      const needed = quoted(requiredOf({ required: names }));
      return needed === '' ? [] : [`"${name}" needs ${needed} too.`];
    }),
  dependentSchemas: (value) =>
    Object.entries(value).map(([name, schema]) => `With "${name}": ${phrase(schema)}.`),
  patternProperties: (value) => {
    const patterns = Object.keys(value).map((pattern) => `/${pattern}/`);
    return patterns.length === 0 ? [] : [`Further names match ${patterns.join(' or ')}.`];
  },
  propertyNames: (value) => [`Names are ${phrase(value)}.`],
  contains: (value) => (Object.keys(value).length > 0 ? [`Contains ${phrase(value)}.`] : []),
};

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** A schema as a few words: JSON, but for the most frequent forms. */
function phrase(schema: JsonValue): string {
  if (!isJsonObject(schema)) return schema === false ? 'nothing' : 'anything';
  const rest = without(schema, 'properties', 'required', 'type');
  const parts = Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const values = isJsonObject(member) ? member['enum'] : undefined;
    const listed = Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : [];
    return `"${name}" is ${listed.length > 0 ? listed.join(' or ') : briefJson(member, 80)}`;
  });
  const required = requiredOf(schema);
  if (parts.length === 0 && required.length > 0) parts.push(`${quoted(required)} is required`);
  if (Object.keys(rest).length > 0) parts.push(briefJson(rest, 150));
  return parts.length > 0 ? parts.join(' and ') : briefJson(schema, 150);
}

/** Properties that only a condition names must be known to the model, or it could never give them. */
function withIntroduced(
  result: JsonObject,
  { then, else: otherwise, dependentSchemas }: JsonObject,
): JsonObject {
  const schemas = [
    then,
    otherwise,
    ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
  const introduced = schemas
    .flatMap((schema) => (isJsonObject(schema) ? [schema, ...branchesOf(schema['anyOf'])] : []))
    .flatMap((schema) => Object.entries(propertiesOf(schema)));
  if (introduced.length === 0) return result;
  return { ...result, properties: { ...Object.fromEntries(introduced), ...propertiesOf(result) } };
}

function withPatternProperties(result: JsonObject, node: JsonObject, place: Place): JsonObject {
  const patterns = node['patternProperties'];
  if (!isJsonObject(patterns)) return result;
  const schemas = Object.values(patterns).filter((schema) => isJsonObject(schema));
  const { additionalProperties } = node;
  if (schemas.length === 0 || isJsonObject(additionalProperties)) return result;
  // Names that fit no pattern are allowed unless they are forbidden, and then of any kind.
  const isClosed = additionalProperties === false;
  return { ...result, additionalProperties: isClosed ? place.settle({ anyOf: schemas }) : true };
}
