import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import { asText } from './fixture.ts';

/** A place of a JSON Schema where a schema stands; it may hold anything. */
export interface SchemaPlace {
  readonly path: string;
  readonly value: JsonValue;
}

const single = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const lists = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const maps = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];
/** Here a boolean is a value of the keyword, not a schema that stands for something. */
const closers = new Set([
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Every schema below a schema, itself first. Booleans that only close an object or list are left out. */
export function schemaPlaces(root: JsonValue): SchemaPlace[] {
  const places: SchemaPlace[] = [{ path: '#', value: root }];
  // A list gives what is added while it is walked.
  for (const { path, value } of places) {
    if (!isJsonObject(value)) continue;
    for (const name of single) {
      const member = own(value, name);
      if (member === undefined || Array.isArray(member)) continue;
      if (typeof member === 'boolean' && closers.has(name)) continue;
      places.push({ path: `${path}/${name}`, value: member });
    }
    for (const name of lists) {
      const member = own(value, name);
      if (!Array.isArray(member)) continue;
      places.push(...member.map((item, at) => ({ path: `${path}/${name}/${at}`, value: item })));
    }
    for (const name of maps) {
      const member = own(value, name);
      if (!isJsonObject(member)) continue;
      for (const [key, item] of Object.entries(member)) {
        places.push({ path: `${path}/${name}/${key}`, value: item });
      }
    }
  }
  return places;
}

/** The schemas of a schema that are objects, with their paths. */
export function schemaObjects(root: JsonValue): { path: string; node: JsonObject }[] {
  return schemaPlaces(root).flatMap(({ path, value }) =>
    isJsonObject(value) ? [{ path, node: value }] : [],
  );
}

/** The member of an object itself; works for `constructor` and `__proto__`. */
export function own(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** What a path of member names and list indexes leads to. */
export function valueAt(
  value: JsonValue | undefined,
  path: readonly JsonValue[],
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) return valueAt(value[Number(step)], rest);
  return valueAt(own(value, asText(step)), rest);
}

/** What a local reference leads to; `undefined` if nowhere, or out of the document. */
export function resolveRef(root: JsonValue, ref: JsonValue | undefined): JsonValue | undefined {
  if (ref === '#') return root;
  if (typeof ref !== 'string') return undefined;
  if (!ref.startsWith('#/')) {
    const anchor = schemaObjects(root).find(
      ({ node }) =>
        node['$id'] === ref || `#${asText(node['$anchor'])}` === ref || node['id'] === ref,
    );
    return anchor?.node;
  }
  const path = ref
    .slice(2)
    .split('/')
    .map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return valueAt(root, path);
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
