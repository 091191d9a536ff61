import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../src/base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';

/** One case: what a server, a settings file or a person does, and what the bridge must make of it. */
export interface Fixture {
  readonly id: string;
  readonly kind: string;
  readonly input: JsonObject;
  readonly expect: JsonObject;
}

/** A file or a fixture that is not of the format; the message says where and what. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** A case that cannot be judged here; the message says why. */
export class SkippedError extends Error {
  override readonly name = 'SkippedError';
}

const members = new Set(['id', 'group', 'source', 'kind', 'input', 'expect']);

/** Reads a file of fixtures. Throws a `FixtureError` when it is not JSON or not of the format. */
export async function readFixtures(path: string): Promise<Fixture[]> {
  let value: unknown;
  try {
    value = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error: unknown) {
    throw new FixtureError(`${path}: ${errorMessage(error)}`);
  }
  return parseFixtures(value, path);
}

/** `where` names the source in error messages. */
export function parseFixtures(value: unknown, where: string): Fixture[] {
  if (!Array.isArray(value)) throw new FixtureError(`${where}: must be a list of fixtures.`);
  const seen = new Set<string>();
  return value.map((entry: unknown, index) => {
    const at = `${where}: fixture ${index + 1}`;
    if (!isJsonObject(entry)) throw new FixtureError(`${at} must be an object.`);
    const { id, kind, input, expect } = entry;
    if (typeof id !== 'string' || id === '') throw new FixtureError(`${at} needs an "id".`);
    if (typeof kind !== 'string') throw new FixtureError(`${at} ("${id}") needs a "kind".`);
    if (!isJsonObject(input)) throw new FixtureError(`${at} ("${id}") needs an object "input".`);
    if (!isJsonObject(expect)) throw new FixtureError(`${at} ("${id}") needs an object "expect".`);
    if (seen.has(id)) throw new FixtureError(`${at}: the id "${id}" stands there twice.`);
    seen.add(id);
    const foreign = Object.keys(entry).filter((name) => !members.has(name));
    if (foreign.length > 0) {
      throw new FixtureError(`${at} ("${id}") has unknown members: ${foreign.join(', ')}.`);
    }
    return { id, kind, input, expect };
  });
}

/** Replaces generated values: `{"$repeat": s, "$times": n, "$prefix"?, "$suffix"?}` and `{"$hex": bytes}` become text. */
export function expand(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(expand);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, '$repeat')) {
    const { $repeat: text, $times: times = 1, $prefix: prefix = '', $suffix: suffix = '' } = value;
    return `${asText(prefix)}${asText(text).repeat(Number(times))}${asText(suffix)}`;
  }
  if (typeof value['$hex'] === 'string')
    return Buffer.from(value['$hex'], 'hex').toString('latin1');
  return mapMembers(value, expand);
}

/** The object with each member's value replaced. Works for members named `__proto__`. */
export function mapMembers(
  value: JsonObject,
  change: (member: JsonValue, name: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, change(member, name)]),
  );
}

/** A value as text: a text itself, anything else as JSON, nothing as the empty text. */
export function asText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** A text or a list of texts, as a list. */
export function textsOf(value: JsonValue | undefined, what: string): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === 'string') return item;
    throw new FixtureError(`"${what}" must be a text or a list of texts.`);
  });
}

export function numberOf(value: JsonValue | undefined, what: string): number {
  if (typeof value === 'number') return value;
  throw new FixtureError(`"${what}" must be a number.`);
}

export function booleanOf(value: JsonValue | undefined, what: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new FixtureError(`"${what}" must be true or false.`);
}

export function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new FixtureError(`"${what}" must be an object.`);
}

export function objectsOf(value: JsonValue | undefined, what: string): JsonObject[] {
  if (!Array.isArray(value)) throw new FixtureError(`"${what}" must be a list of objects.`);
  return value.map((item) => objectOf(item, what));
}
