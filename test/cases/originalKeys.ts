import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { own, resolveRef } from './schemaWalk.ts';
import { asText } from './fixture.ts';

/** A schema and the document its references point into. */
interface Node {
  readonly schema: JsonValue | undefined;
  readonly root: JsonValue;
}

/** The tool's own schema and the one exposed for it. */
export interface SchemaPair {
  readonly original: JsonObject;
  readonly exposed: JsonObject;
}

/** Most schemas looked into to find the properties of one object. */
const maxBranches = 200;

/**
 * Writes arguments in the exposed keys that stand for the tool's own ones, at every depth, as a model would that
 * reads the exposed schema.
 */
export function fillExposed(value: JsonValue, { original, exposed }: SchemaPair): JsonValue {
  return translate(value, { schema: original, root: original }, { schema: exposed, root: exposed });
}

/** The exposed key of a property at the root of the tool's own schema. */
export function exposedKey(key: string, { original, exposed }: SchemaPair): string | undefined {
  return keyMap(
    propertiesOf({ schema: original, root: original }),
    propertiesOf({ schema: exposed, root: exposed }),
  ).get(key);
}

function translate(value: JsonValue, original: Node, exposed: Node): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item, at) => translate(item, itemOf(original, at), itemOf(exposed, at)));
  }
  if (!isJsonObject(value)) return value;
  const known = propertiesOf(original);
  const offered = propertiesOf(exposed);
  const keys = keyMap(known, offered);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const alias = keys.get(key) ?? key;
      return [
        alias,
        translate(
          member,
          { schema: known.get(key) ?? otherOf(original), root: original.root },
          { schema: offered.get(alias) ?? otherOf(exposed), root: exposed.root },
        ),
      ];
    }),
  );
}

/**
 * Which exposed key stands for which original one: the same key if there is one, else the one whose description names
 * it, else the one at the same place among those left.
 */
function keyMap(
  original: ReadonlyMap<string, JsonValue>,
  exposed: ReadonlyMap<string, JsonValue>,
): Map<string, string> {
  const result = new Map(
    [...original.keys()].filter((key) => exposed.has(key)).map((key) => [key, key]),
  );
  const lost = [...original.keys()].filter((key) => !result.has(key));
  const free = [...exposed.keys()].filter((key) => !original.has(key));
  if (lost.length === free.length) {
    for (const [at, key] of lost.entries()) result.set(key, free[at] ?? key);
    return result;
  }
  for (const key of lost) {
    const alias = free.find((name) =>
      asText(own(exposed.get(name), 'description') ?? '').includes(key),
    );
    if (alias !== undefined) result.set(key, alias);
  }
  return result;
}

/** The properties of an object schema in order, those of its combinators and of what it refers to included. */
function propertiesOf({ schema, root }: Node): Map<string, JsonValue> {
  const result = new Map<string, JsonValue>();
  for (const node of branches({ schema, root })) {
    const properties = own(node, 'properties');
    if (!isJsonObject(properties)) continue;
    for (const [key, member] of Object.entries(properties)) {
      if (!result.has(key)) result.set(key, member);
    }
  }
  return result;
}

function itemOf(node: Node, at: number): Node {
  for (const branch of branches(node)) {
    const items = own(branch, 'items');
    const tuple = own(branch, 'prefixItems') ?? items;
    if (Array.isArray(tuple) && at < tuple.length) return { schema: tuple[at], root: node.root };
    if (isJsonObject(items)) return { schema: items, root: node.root };
  }
  return { schema: undefined, root: node.root };
}

function otherOf(node: Node): JsonValue | undefined {
  return branches(node)
    .map((branch) => own(branch, 'additionalProperties'))
    .find(isJsonObject);
}

/** The schema, what it refers to and the members of its combinators, each once. */
function branches({ schema, root }: Node): JsonValue[] {
  const found: JsonValue[] = [];
  const add = (value: JsonValue | undefined): void => {
    if (isJsonObject(value) && !found.includes(value) && found.length < maxBranches)
      found.push(value);
  };
  add(schema);
  for (const node of found) {
    add(resolveRef(root, own(node, '$ref')));
    for (const name of ['allOf', 'anyOf', 'oneOf']) {
      const list = own(node, name);
      if (Array.isArray(list)) list.forEach(add);
    }
    for (const name of ['if', 'then', 'else']) add(own(node, name));
  }
  return found;
}
