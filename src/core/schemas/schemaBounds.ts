import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { shortened } from '../boundedText.ts';
import {
  branchesOf,
  mapSubschemas,
  propertiesOf,
  requiredOf,
  without,
  type Report,
} from './schemaNode.ts';

/** Largest schema given to a model if the server's own was not larger, in characters of JSON. */
const fairSize = 65_536;
/** Largest schema given to a model at all. */
const maxSize = 262_144;

/** The schema with nothing nested deeper than so many levels of subschemas. */
export function withinDepth(schema: JsonObject, depth: number, report: Report): JsonObject {
  let cuts = 0;
  const cut = (node: JsonObject, path: string, level: number): JsonObject => {
    let subschemas = 0;
    const result = mapSubschemas(node, path, (subschema, at) => {
      subschemas += 1;
      return isJsonObject(subschema) && level < depth ? cut(subschema, at, level + 1) : subschema;
    });
    if (level === depth && subschemas > 0) {
      cuts += 1;
      if (cuts === 1) report(path, `nested deeper than ${depth} levels: read as "anything"`);
      return {};
    }
    // An alternative that allows anything makes the others pointless.
    return branchesOf(result['anyOf']).some((branch) => Object.keys(branch).length === 0)
      ? without(result, 'anyOf')
      : result;
  };
  return cut(schema, '#', 0);
}

/**
 * The schema as at most `fairSize` characters, or as the server's own had if that is more: without
 * descriptions deep down, then without its deepest levels, then without descriptions, and last without
 * optional properties of the root.
 */
export function withinSize(
  schema: JsonObject,
  originalSize: () => number,
  report: Report,
): JsonObject {
  const size = JSON.stringify(schema).length;
  if (size <= fairSize) return schema;
  const limit = Math.min(maxSize, Math.max(fairSize, originalSize()));
  if (size <= limit) return schema;
  report('#', `larger than ${limit} characters: shortened, deepest descriptions and levels first`);
  let result = schema;
  for (const step of stepsFor(depthOf(schema))) {
    result = step(result);
    if (JSON.stringify(result).length <= limit) return result;
  }
  return withFewerProperties(result, limit);
}

function depthOf(schema: JsonObject): number {
  let depth = 0;
  mapSubschemas(schema, '', (subschema) => {
    depth = Math.max(depth, isJsonObject(subschema) ? depthOf(subschema) + 1 : 0);
    return subschema;
  });
  return depth;
}

function stepsFor(depth: number): readonly ((schema: JsonObject) => JsonObject)[] {
  const levels = [12, 8, 6, 5, 4, 3, 2].filter((level) => level < depth);
  return [
    ...(depth < 2 ? [] : [(schema: JsonObject) => withShortTexts(schema, 2, 0)]),
    (schema) => withShortTexts(schema, 1, 120),
    ...levels.map((level) => (schema: JsonObject) => withinDepth(schema, level, () => undefined)),
    (schema) => withShortTexts(schema, 0, 40),
    (schema) => withShortTexts(schema, 0, 0),
  ];
}

/** Texts below so many levels cut to so many characters; 0: none. */
function withShortTexts(schema: JsonObject, below: number, limit: number): JsonObject {
  const result = mapSubschemas(schema, '', (subschema) =>
    isJsonObject(subschema) ? withShortTexts(subschema, below - 1, limit) : subschema,
  );
  if (below > 0) return result;
  if (limit === 0) return without(result, 'title', 'description', 'default');
  const { title, description } = result;
  return {
    ...result,
    ...(typeof title === 'string' && { title: shortened(title, limit) }),
    ...(typeof description === 'string' && { description: shortened(description, limit) }),
  };
}

/** As many properties as there is room for, required ones first. */
function withFewerProperties(schema: JsonObject, limit: number): JsonObject {
  const required = new Set(requiredOf(schema));
  const entries = Object.entries(propertiesOf(schema));
  const ordered = [
    ...entries.filter(([name]) => required.has(name)),
    ...entries.filter(([name]) => !required.has(name)),
  ];
  let room = limit - 1000;
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of ordered) {
    // A required name stands twice.
    room -= JSON.stringify(name).length * 2 + JSON.stringify(member).length + 4;
    if (room > 0) kept.push([name, member]);
  }
  const names = new Set(kept.map(([name]) => name));
  const stillRequired = [...required].filter((name) => names.has(name));
  return {
    type: 'object',
    properties: Object.fromEntries(kept),
    ...(stillRequired.length > 0 && { required: stillRequired }),
  };
}
