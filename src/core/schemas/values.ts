import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Place } from './place.ts';
import { briefJson, without } from './schemaNode.ts';

/**
 * The node with `const` and `enum` said so that every model API takes it: `enum` only of texts. Numbers keep
 * their range, and other values are told in words; each kind of value gives its type.
 */
export function withPlainValues(node: JsonObject, place: Place): JsonObject {
  const values = listedValues(node);
  if (values === undefined) return node;
  const types = allowedTypes(node);
  const fitting = values.filter((value) => types === undefined || fits(value, types));
  const rest = without(node, 'const', 'enum');
  if (fitting.length < values.length) {
    place.report(
      place.path,
      `"enum" lists values of other types than ${types?.join(', ') ?? 'any'}`,
    );
  }
  if (fitting.length === 0) return place.say(rest, `One of: ${briefJson(values)}.`);
  const kinds = [...new Set(fitting.map((value) => kindOf(value)))];
  const result = { ...rest, type: kindsAsTypes(kinds, types) };
  const told = withTexts(result, fitting, place);
  return withOthers(told, fitting, place);
}

function listedValues(node: JsonObject): JsonValue[] | undefined {
  if (Object.hasOwn(node, 'const')) return [node['const'] ?? null];
  const { enum: values } = node;
  return Array.isArray(values) ? values : undefined;
}

function allowedTypes({ type }: JsonObject): string[] | undefined {
  if (type === undefined) return undefined;
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function fits(value: JsonValue, types: readonly string[]): boolean {
  const kind = kindOf(value);
  return types.includes(kind) || (kind === 'integer' && types.includes('number'));
}

function kindsAsTypes(kinds: readonly string[], types: readonly string[] | undefined): JsonValue {
  const isNumber =
    kinds.includes('number') || (types?.includes('number') === true && !types.includes('integer'));
  const named = kinds.map((kind) => (kind === 'integer' && isNumber ? 'number' : kind));
  const different = [...new Set(named)];
  return different.length === 1 ? (different[0] ?? 'string') : different;
}

/** Some model APIs refuse the empty text as a choice, and none can take half a character. */
function withTexts(node: JsonObject, values: readonly JsonValue[], place: Place): JsonObject {
  const texts = values.filter((value) => typeof value === 'string');
  const listed = texts.filter((value) => value !== '' && value.isWellFormed());
  const result = listed.length > 0 ? { ...node, enum: listed } : node;
  if (listed.length === texts.length) return result;
  place.report(place.path, '"enum" lists an empty or broken text: told in words');
  return texts.includes('')
    ? place.say(result, listed.length > 0 ? 'May also be "".' : 'Only "".')
    : result;
}

/** Only texts can be listed for every model API. */
function withOthers(node: JsonObject, values: readonly JsonValue[], place: Place): JsonObject {
  const others = values.filter((value) => typeof value !== 'string' && value !== null);
  if (others.length === 0) return node;
  const isAllBooleans = others.includes(true) && others.includes(false) && others.length === 2;
  if (isAllBooleans) return node;
  const numbers = others.filter((value) => typeof value === 'number');
  const result = { ...node };
  if (numbers.length > 0) {
    result['minimum'] ??= numbers.reduce((least, value) => Math.min(least, value));
    result['maximum'] ??= numbers.reduce((most, value) => Math.max(most, value));
  }
  place.report(place.path, 'only texts can be listed in "enum": other values are told in words');
  return place.say(
    result,
    others.length === 1
      ? `Always ${briefJson(others[0] ?? null)}.`
      : `One of: ${briefJson(others)}.`,
  );
}
