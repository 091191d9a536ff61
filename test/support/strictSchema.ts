import { Ajv } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';

const maxDepth = 32;
const maxNodes = 25_000;
const maxSize = 262_144;
const name = /^[A-Za-z0-9_.-]{1,64}$/;
const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
/** What `format` may be on any API: others are refused by Gemini. */
const formats = ['date-time'];
const counts = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'];
const numbers = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const texts = ['title', 'description'];
const keywords = new Set([
  ...counts,
  ...numbers,
  ...texts,
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'uniqueItems'],
  ...['anyOf', 'enum', 'pattern', 'format', 'default'],
]);

/**
 * What the strictest of the model APIs and agents would refuse in an input schema: function calling of OpenAI (without
 * strict mode), Anthropic tools, Gemini function declarations, Copilot's own checks in its local and its Agent Host
 * sessions. Empty: none refuses it.
 */
export function strictSchemaProblems(schema: unknown): string[] {
  const problems: string[] = [];
  if (!isJsonObject(schema)) return ['# is no object'];
  if (schema['type'] !== 'object') problems.push('# is not of type "object"');
  if (!isJsonObject(schema['properties'])) problems.push('# has no properties');
  if (schema['anyOf'] !== undefined) problems.push('# has a combinator');
  let nodes = 0;
  const visit = (node: JsonValue, path: string, depth: number): void => {
    nodes += 1;
    if (!isJsonObject(node)) {
      problems.push(`${path} is no object`);
      return;
    }
    if (depth > maxDepth) problems.push(`${path} is too deep`);
    problems.push(...problemsOf(node).map((problem) => `${path} ${problem}`));
    for (const [path2, child] of children(node)) visit(child, `${path}${path2}`, depth + 1);
  };
  visit(schema, '#', 0);
  if (nodes > maxNodes) problems.push('# has too many nodes');
  let isBroken = false;
  const json = JSON.stringify(schema, (key, value: unknown) => {
    isBroken ||= !key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed());
    return value;
  });
  if (json.length > maxSize) problems.push(`# is ${json.length} characters long`);
  if (isBroken) problems.push('# has broken characters');
  if (problems.length === 0) problems.push(...compileProblem(schema));
  return problems;
}

function children(node: JsonObject): [path: string, child: JsonValue][] {
  const { properties, items, additionalProperties, anyOf } = node;
  const found: [string, JsonValue][] = [];
  for (const [key, child] of Object.entries(isJsonObject(properties) ? properties : {})) {
    found.push([`/properties/${key}`, child]);
  }
  if (items !== undefined) found.push(['/items', items]);
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean') {
    found.push(['/additionalProperties', additionalProperties]);
  }
  if (Array.isArray(anyOf)) anyOf.forEach((child, index) => found.push([`/anyOf/${index}`, child]));
  return found;
}

function problemsOf(node: JsonObject): string[] {
  const { type, anyOf, items, enum: values, properties } = node;
  const wrong = (isWrong: boolean, problem: string): string[] => (isWrong ? [problem] : []);
  const isCount = (value: JsonValue | undefined): boolean =>
    value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
  const isNumber = (value: JsonValue | undefined): boolean =>
    value === undefined || typeof value === 'number';
  return [
    ...wrong(
      type !== undefined && !(typeof type === 'string' && types.has(type)),
      'has an unknown type',
    ),
    ...Object.keys(node).flatMap((keyword) =>
      wrong(!keywords.has(keyword), `has the keyword "${keyword}"`),
    ),
    ...wrong(type === 'array' && !isJsonObject(items), 'is an array without items'),
    ...wrong(anyOf !== undefined && !(Array.isArray(anyOf) && anyOf.length > 0), 'has no branches'),
    ...wrong(anyOf !== undefined && type !== undefined, 'has a type beside its branches'),
    ...wrong(
      properties !== undefined && (!isJsonObject(properties) || type !== 'object'),
      'has odd properties',
    ),
    ...Object.keys(isJsonObject(properties) ? properties : {}).flatMap((key) =>
      wrong(!name.test(key), `has the property name ${JSON.stringify(key)}`),
    ),
    ...wrong(values !== undefined && !(type === 'string' && isChoice(values)), 'has a bad enum'),
    ...wrong(!isRequired(node), 'requires what it has not'),
    ...counts.flatMap((key) => wrong(!isCount(node[key]), `has a bad ${key}`)),
    ...numbers.flatMap((key) => wrong(!isNumber(node[key]), `has a bad ${key}`)),
    ...textProblems(node),
  ];
}

function isChoice(values: JsonValue): boolean {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && value !== '' && value.isWellFormed()) &&
    new Set(values).size === values.length
  );
}

function isRequired({ required, properties }: JsonObject): boolean {
  if (required === undefined) return true;
  return (
    Array.isArray(required) &&
    new Set(required).size === required.length &&
    required.every(
      (key) =>
        typeof key === 'string' && isJsonObject(properties) && Object.hasOwn(properties, key),
    )
  );
}

function textProblems(node: JsonObject): string[] {
  const { pattern, format } = node;
  const problems = texts.flatMap((key) => {
    const text = node[key];
    if (text === undefined) return [];
    const isFine =
      typeof text === 'string' &&
      text !== '' &&
      text.length <= 1024 &&
      text.isWellFormed() &&
      // oxlint-disable-next-line no-control-regex
      !/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/.test(text);
    return isFine ? [] : [`has a bad ${key}`];
  });
  if (format !== undefined && !(typeof format === 'string' && formats.includes(format)))
    problems.push('has a bad format');
  if (pattern !== undefined) {
    try {
      if (typeof pattern === 'string') RegExp(pattern, 'u');
      else problems.push('has no text as pattern');
    } catch {
      problems.push('has a bad pattern');
    }
  }
  return problems;
}

/** Agents compile it with Ajv in strict mode, and check nothing if that fails. */
function compileProblem(schema: JsonObject): string[] {
  const ajv = new Ajv({
    coerceTypes: true,
    logger: false,
    formats: Object.fromEntries(formats.map((format) => [format, true])),
  });
  try {
    // A large schema takes long to compile, and says nothing more.
    if (JSON.stringify(schema).length < 3000) ajv.compile(schema);
    return [];
  } catch (error) {
    return [`# does not compile: ${String(error)}`];
  }
}
