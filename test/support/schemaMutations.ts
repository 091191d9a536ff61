import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import type { Random } from './random.ts';

type Mutation = (node: JsonObject, random: Random) => JsonValue;

const oddNames: readonly [string, ...string[]] = [
  '$top',
  'filter[name]',
  '日付',
  '',
  '__proto__',
  'constructor',
  'a'.repeat(80),
  'a b',
  'a_b',
  '\ud83d',
  'a/b~c',
  'toString',
];

const oddValues: readonly [JsonValue, ...JsonValue[]] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  '',
  'x',
  '\ud83d',
  [],
  {},
  [null],
  ['a', 'a'],
  [1, 'a', null, true, { a: 1 }],
  [true],
  { type: 'array' },
  { type: 'string' },
  '(',
  '^(a+)+$',
];

const keywords: readonly [string, ...string[]] = [
  ...(['type', 'properties', 'required', 'items', 'enum', 'const', 'default', 'format'] as const),
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', '$id', 'id', '$schema'],
  ...['$anchor', '$dynamicRef', '$recursiveRef', '$defs', 'definitions', 'dependencies'],
  ...['dependentRequired', 'dependentSchemas', 'patternProperties', 'propertyNames', 'contains'],
  ...['additionalProperties', 'unevaluatedProperties', 'additionalItems', 'prefixItems'],
  ...['exclusiveMinimum', 'minimum', 'minLength', 'maxItems', 'divisibleBy', 'disallow', 'extends'],
  ...['nullable', 'example', 'examples', 'title', 'description', 'pattern', 'x-foo', 'optional'],
];

const oddTypes: readonly [JsonValue, ...JsonValue[]] = [
  'any',
  'file',
  'int',
  'dict',
  'list',
  'OBJECT',
  ['array', 'null'],
  ['string', 'string'],
  ['integer', 'number', 'null'],
  [{ type: 'string' }, 'null'],
  [],
  'array',
  'object',
];

const references: readonly [string, ...string[]] = [
  '#',
  '#/properties',
  '#/$defs/a',
  '#/definitions/a',
  '#/$defs/gone',
  'https://example.test/x.json',
  '#a',
  '%',
];

const mutations: readonly [Mutation, ...Mutation[]] = [
  (_node, random) => random.pick(oddValues),
  (node, random) => {
    const names = Object.keys(node);
    const gone = names[random.below(Math.max(1, names.length))];
    return Object.fromEntries(Object.entries(node).filter(([name]) => name !== gone));
  },
  (node, random) => {
    const values = Object.values(node);
    const value = values[random.below(Math.max(1, values.length))] ?? {};
    return Object.fromEntries([...Object.entries(node), [random.pick(oddNames), value]]);
  },
  (node, random) => ({ ...node, type: random.pick(oddTypes) }),
  (node, random) => ({ ...node, [random.pick(keywords)]: random.pick(oddValues) }),
  (node, random) => ({ ...node, [random.pick(keywords)]: structuredClone(node) }),
  (node, random) => ({
    ...node,
    [random.pick(keywords)]: [structuredClone(node), { type: 'null' }],
  }),
  (node, random) => ({
    [random.pick(['anyOf', 'oneOf', 'allOf'])]: [node, random.pick(oddValues)],
  }),
  (node, random) => ({ ...node, $ref: random.pick(references) }),
  (node, random) => ({
    ...node,
    [random.pick(['$defs', 'definitions'])]: { a: structuredClone(node) },
  }),
  (node, random) => {
    let deep: JsonValue = node;
    for (let level = 0; level < 200; level++) {
      deep = random.below(2) === 0 ? { type: 'array', items: deep } : { properties: { p: deep } };
    }
    return deep;
  },
  (node, random) => ({
    type: 'object',
    properties: { [random.pick(oddNames)]: node, a: { $ref: '#' } },
    required: [random.pick(oddNames)],
  }),
];

/** The schema with one random change at a random place. */
export function mutated(schema: JsonObject, random: Random): JsonValue {
  const places = placesOf(schema, 0);
  const [place] = random.shuffled(places);
  const mutate = random.pick(mutations);
  return place === undefined ? mutate(schema, random) : replaced(schema, place, random, mutate);
}

/** The paths of all objects in the value. */
function placesOf(value: JsonValue, depth: number): string[][] {
  if (typeof value !== 'object' || value === null || depth > 12) return [];
  const inside = Object.entries(value).flatMap(([step, member]) =>
    placesOf(member, depth + 1).map((path) => [step, ...path]),
  );
  return isJsonObject(value) ? [[], ...inside.slice(0, 200)] : inside.slice(0, 200);
}

function replaced(
  value: JsonValue,
  path: readonly string[],
  random: Random,
  mutate: Mutation,
): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return isJsonObject(value) ? mutate(value, random) : value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      `${index}` === step ? replaced(item, rest, random, mutate) : item,
    );
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === step ? replaced(member, rest, random, mutate) : member,
    ]),
  );
}
