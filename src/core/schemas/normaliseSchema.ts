import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { withCleanAnnotations } from './annotations.ts';
import { withPlainArray } from './arrays.ts';
import { withKeywordsOfType } from './keywords.ts';
import { withLostRulesTold } from './lostRules.ts';
import { withMergedAllOf } from './mergeSchemas.ts';
import type { Place } from './place.ts';
import {
  mapSubschemas,
  propertiesOf,
  requiredOf,
  without,
  withSentence,
  type Report,
  type Schema,
} from './schemaNode.ts';
import { withPlainUnion, withTypesSplit } from './unions.ts';
import { withPlainValues } from './values.ts';

/** Where a sentence belongs to the tool as a whole: the root and what is merged into it. */
const rootPath = /^#(?:\/(?:allOf|anyOf|oneOf)\/\d+)*$/;

/** Each keeps the meaning and gives the node a simpler form; in this order. */
const rules: readonly ((node: JsonObject, place: Place) => JsonObject)[] = [
  withCleanAnnotations,
  withMergedAllOf,
  withLostRulesTold,
  withPlainArray,
  withPlainValues,
  withPlainUnion,
  withTypesSplit,
  withKeywordsOfType,
];

/**
 * A modern schema without `$ref` in the form all model APIs take: a node has one `type`, or `anyOf` and nothing
 * but annotations beside it, or allows anything. `enum` holds strings; arrays have `items`. What cannot be said
 * so is told in the description of its node, or in `notes` if it is about the tool as a whole.
 */
export function normaliseSchema(schema: JsonObject, report: Report, notes: string[]): JsonObject {
  const settleAt = (node: JsonObject, path: string): JsonObject => {
    const place: Place = {
      path,
      report,
      say: (one, sentence) => {
        if (!rootPath.test(path)) return withSentence(one, sentence);
        notes.push(sentence);
        return one;
      },
      settle: (other) => settleAt(other, path),
    };
    return rules.reduce((current, rule) => rule(current, place), node);
  };
  const normalise = (value: JsonValue, path: string): Schema => {
    if (!isJsonObject(value)) return value === false ? false : {};
    const node = mapSubschemas(value, path, normalise);
    const { additionalProperties: flag } = value;
    // Here a boolean is a flag and stays one.
    const flagged = typeof flag === 'boolean' ? { ...node, additionalProperties: flag } : node;
    const possible = withoutImpossible(flagged);
    return isJsonObject(possible) ? settleAt(possible, path) : possible;
  };
  const root = normalise(schema, '#');
  return isJsonObject(root) ? root : {};
}

/** The node without the parts that `false` says cannot be; `false` if nothing is left. */
function withoutImpossible(node: JsonObject): Schema {
  const { not, allOf, anyOf, oneOf, properties } = node;
  if (isJsonObject(not) && Object.keys(not).length === 0) return false;
  if (Array.isArray(allOf) && allOf.includes(false)) return false;
  const result = { ...node };
  if (not === false) delete result['not'];
  for (const [keyword, branches] of Object.entries({ anyOf, oneOf })) {
    if (!Array.isArray(branches)) continue;
    const possible = branches.filter((branch) => branch !== false);
    if (possible.length === 0) return false;
    result[keyword] = possible;
  }
  if (isJsonObject(properties)) {
    const known = Object.entries(properties);
    const possible = known.filter(([, member]) => member !== false);
    if (possible.length < known.length) {
      const gone = new Set(known.flatMap(([name, member]) => (member === false ? [name] : [])));
      result['properties'] = Object.fromEntries(possible);
      result['required'] = requiredOf(node).filter((name) => !gone.has(name));
    }
  }
  return result;
}

/** The schema with `required` naming only properties there are, at every level. */
export function withKnownRequired(node: JsonObject, path: string, report: Report): JsonObject {
  const result = mapSubschemas(node, path, (subschema, at) =>
    isJsonObject(subschema) ? withKnownRequired(subschema, at, report) : subschema,
  );
  if (!Object.hasOwn(result, 'required')) return result;
  const properties = propertiesOf(result);
  const required = requiredOf(result);
  const known = required.filter((name) => Object.hasOwn(properties, name));
  if (known.length < required.length) {
    const unknown = required.find((name) => !Object.hasOwn(properties, name)) ?? '';
    report(
      path,
      `"required" names "${unknown.slice(0, 100).toWellFormed()}", which is not among the properties: left out`,
    );
  }
  return known.length > 0 ? { ...result, required: known } : without(result, 'required');
}
