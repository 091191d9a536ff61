import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Place } from './place.ts';
import { branchesOf, briefJson, propertiesOf, without } from './schemaNode.ts';

/**
 * The node without the keywords model APIs refuse or ignore (`if`, `not`, `dependentRequired`,
 * `patternProperties`, …): told in words, and the properties they introduce become optional ones.
 */
export function withLostRulesTold(node: JsonObject, place: Place): JsonObject {
  const lost = lostKeywords.filter((keyword) => Object.hasOwn(node, keyword));
  if (lost.length === 0) return node;
  const sentences = lost.flatMap((keyword) => sentencesFor(keyword, node));
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

function sentencesFor(keyword: (typeof lostKeywords)[number], node: JsonObject): string[] {
  const value = node[keyword] ?? null;
  const members = isJsonObject(value) ? Object.entries(value) : [];
  switch (keyword) {
    case 'if': {
      const { then, else: otherwise } = node;
      const parts = [
        then === undefined ? '' : ` then ${phrase(then)}`,
        otherwise === undefined ? '' : ` else ${phrase(otherwise)}`,
      ].filter((part) => part !== '');
      return parts.length === 0 ? [] : [`If ${phrase(value)}${parts.join(';')}.`];
    }
    case 'not':
      return isJsonObject(value) ? [`Not allowed: ${phrase(value)}.`] : [];
    case 'dependentRequired':
      return members.flatMap(([name, names]) =>
        Array.isArray(names) && names.length > 0 ? [`"${name}" needs ${names.map((one) => `"${String(one)}"`).join(', ')} too.`] : [],
      );
    case 'dependentSchemas':
      return members.map(([name, schema]) => `With "${name}": ${phrase(schema)}.`);
    case 'patternProperties':
      return members.length === 0 ? [] : [`Further names match ${members.map(([name]) => `/${name}/`).join(' or ')}.`];
    case 'propertyNames':
      return isJsonObject(value) ? [`Names are ${phrase(value)}.`] : [];
    case 'contains':
      return isJsonObject(value) && Object.keys(value).length > 0 ? [`Contains ${phrase(value)}.`] : [];
    case 'then':
    case 'else':
    case 'minContains':
    case 'maxContains':
    case 'unevaluatedItems':
    case 'unevaluatedProperties':
      return [];
  }
}

/** A schema as a few words: JSON, but for the most frequent forms. */
function phrase(schema: JsonValue): string {
  if (!isJsonObject(schema)) return schema === false ? 'nothing' : 'anything';
  const { properties, required, type: _type, ...rest } = schema;
  const parts = Object.entries(propertiesOf({ properties: properties ?? null })).map(([name, member]) => {
    const values = isJsonObject(member) && Array.isArray(member['enum']) ? member['enum'] : undefined;
    return values === undefined ? `"${name}" is ${briefJson(member, 80)}` : `"${name}" is ${values.map((one) => JSON.stringify(one)).join(' or ')}`;
  });
  if (Array.isArray(required) && parts.length === 0) parts.push(`${required.map((name) => `"${String(name)}"`).join(', ')} is required`);
  if (Object.keys(rest).length > 0 || parts.length === 0) parts.push(briefJson(parts.length === 0 ? schema : rest, 150));
  return parts.join(' and ');
}

/** Properties that only a condition names must be known to the model, or it could never give them. */
function withIntroduced(result: JsonObject, { then, else: otherwise, dependentSchemas }: JsonObject): JsonObject {
  const schemas = [then, otherwise, ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [])];
  const introduced = schemas
    .filter((schema) => isJsonObject(schema))
    .flatMap((schema) => [schema, ...branchesOf(schema['anyOf'])])
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
