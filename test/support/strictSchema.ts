import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';

const typeNames = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const rootCombinators = ['$ref', 'allOf', 'anyOf', 'else', 'if', 'not', 'oneOf', 'then'];
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const singles = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
];

/**
 * What a strict model API would refuse in the input schema of a tool, one `path: reason` each. Independent of
 * the code that repairs schemas.
 */
export function strictSchemaProblems(schema: JsonValue | undefined): string[] {
  if (!isJsonObject(schema)) return ['#: no object'];
  const problems: string[] = [];
  if (schema['type'] !== 'object') problems.push('#: type is not "object"');
  if (!isJsonObject(schema['properties'])) problems.push('#: no properties');
  for (const keyword of rootCombinators) {
    if (Object.hasOwn(schema, keyword)) problems.push(`#: ${keyword} at the root`);
  }
  inspect(schema, '#', problems);
  return problems;
}

function inspect(node: JsonObject, path: string, problems: string[]): void {
  problems.push(...nodeProblems(node).map((reason) => `${path}: ${reason}`));
  for (const [where, child] of children(node)) {
    if (isJsonObject(child)) inspect(child, `${path}/${where}`, problems);
    else if (where !== 'additionalProperties') problems.push(`${path}/${where}: no schema object`);
  }
}

function nodeProblems(node: JsonObject): string[] {
  const { type, items, enum: values } = node;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const properties = Object.keys(asObject(node['properties']));
  const required = node['required'] ?? [];
  const texts = Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : [];
  return [
    ...['$schema', '$ref', '$dynamicRef'].filter((keyword) => Object.hasOwn(node, keyword)),
    ...types
      .filter((name) => typeof name !== 'string' || !typeNames.has(name))
      .map((name) => `unknown type ${JSON.stringify(name)}`),
    ...(types.includes('array') && !isJsonObject(items) ? ['array without items object'] : []),
    ...(Array.isArray(required) && required.every((name) => properties.includes(name as string))
      ? []
      : ['required is not a list of known properties']),
    ...(values !== undefined && (texts.length === 0 || new Set(texts).size < texts.length)
      ? ['enum empty or repeated']
      : []),
    ...properties
      .filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))
      .map((name) => `property name ${JSON.stringify(name)}`),
  ];
}

function children(node: JsonObject): [where: string, child: JsonValue | undefined][] {
  return [
    ...maps.flatMap((keyword) =>
      Object.entries(asObject(node[keyword])).map(([name, child]): [string, JsonValue] => [
        `${keyword}/${name}`,
        child,
      ]),
    ),
    ...lists.flatMap((keyword) => {
      const members = node[keyword];
      if (!Array.isArray(members)) return [];
      return members.map((child, index): [string, JsonValue] => [`${keyword}/${index}`, child]);
    }),
    ...singles
      .filter((keyword) => Object.hasOwn(node, keyword))
      .map((keyword): [string, JsonValue | undefined] => [keyword, node[keyword]]),
  ];
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
