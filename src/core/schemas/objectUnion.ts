import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Place } from './place.ts';
import { branchesOf, propertiesOf, requiredOf, without } from './schemaNode.ts';

/** Most combinations that are told in words. */
const maxTold = 8;

/**
 * One object schema for an object that must fit `base` and one of the branches: it has the properties of all, and
 * requires what each branch requires. Which go together is told in words. Branches that are no objects are
 * left out.
 */
export function objectUnion(
  base: JsonObject,
  branches: readonly JsonObject[],
  place: Place,
): JsonObject {
  const objects = branches
    .map((branch) => {
      const inner = branchesOf(branch['anyOf']);
      return inner.length > 0 ? objectUnion(without(branch, 'anyOf'), inner, quiet(place)) : branch;
    })
    .filter(
      ({ type, properties }) =>
        type === 'object' || (type === undefined && isJsonObject(properties)),
    );
  const result: JsonObject = { ...base, type: 'object' };
  if (objects.length === 0) return result;

  const properties = new Map(Object.entries(propertiesOf(base)));
  for (const [name, schemas] of propertiesOfAll(objects)) {
    const own = properties.get(name);
    // What the object itself says about a property holds in each branch.
    if (isJsonObject(own) && Object.keys(own).some((keyword) => !isText(keyword))) {
      properties.set(name, narrowed(own, schemas));
      continue;
    }
    const united = schemas.length > 1 ? place.settle({ anyOf: schemas }) : (schemas[0] ?? {});
    properties.set(name, { ...united, ...(isJsonObject(own) ? own : {}) });
  }
  result['properties'] = Object.fromEntries(properties);

  const [first = [], ...others] = objects.map((branch) => requiredOf(branch));
  const common = first.filter((name) => others.every((names) => names.includes(name)));
  const required = [...new Set([...requiredOf(base), ...common])];
  if (required.length > 0) result['required'] = required;
  const isClosed = objects.every(({ additionalProperties }) => additionalProperties === false);
  if (isClosed && result['additionalProperties'] === undefined)
    result['additionalProperties'] = false;
  return told(result, base, objects, place);
}

const isText = (keyword: string): boolean => keyword === 'title' || keyword === 'description';

/** The inner unions of a union are told by the outer one. */
const quiet = (place: Place): Place => ({ ...place, say: (node) => node });

function propertiesOfAll(objects: readonly JsonObject[]): Map<string, JsonObject[]> {
  const all = new Map<string, Map<string, JsonObject>>();
  for (const branch of objects) {
    for (const [name, schema] of Object.entries(propertiesOf(branch))) {
      if (!isJsonObject(schema)) continue;
      const different = all.get(name) ?? new Map<string, JsonObject>();
      all.set(name, different.set(JSON.stringify(schema), schema));
    }
  }
  return new Map([...all].map(([name, schemas]) => [name, [...schemas.values()]]));
}

/** A property all branches describe further, as with the kind of a tagged union, lists the values of all. */
function narrowed(own: JsonObject, schemas: readonly JsonObject[]): JsonObject {
  const lists = schemas.map(({ enum: values }) => values);
  if (own['type'] !== 'string' || own['enum'] !== undefined || !lists.every(Array.isArray))
    return own;
  return { ...own, enum: [...new Set(lists.flat())] };
}

function told(
  result: JsonObject,
  base: JsonObject,
  objects: readonly JsonObject[],
  place: Place,
): JsonObject {
  const own = new Set(requiredOf(base));
  const sets = objects.map((branch) => {
    const required = requiredOf(branch).filter((name) => !own.has(name));
    const tags = Object.entries(propertiesOf(branch)).flatMap(([name, schema]) => {
      const [value, ...more] = valuesOf(schema);
      return value !== undefined && more.length === 0 ? [`${name}: ${JSON.stringify(value)}`] : [];
    });
    const untagged = required.filter((name) => !tags.some((tag) => tag.startsWith(`${name}: `)));
    return [...tags, ...untagged].map((text) => text.slice(0, 60).toWellFormed());
  });
  const different = [
    ...new Set(sets.filter((set) => set.length > 0).map((set) => `{${set.join(', ')}}`)),
  ];
  if (different.length < 2) return result;
  place.report(place.path, 'the alternatives are read as one object with the properties of all');
  const more = different.length > maxTold ? ' or …' : '';
  return place.say(result, `Goes together: ${different.slice(0, maxTold).join(' or ')}${more}.`);
}

function valuesOf(schema: JsonValue): JsonValue[] {
  if (!isJsonObject(schema)) return [];
  const { enum: values } = schema;
  return Array.isArray(values) ? values : [];
}
