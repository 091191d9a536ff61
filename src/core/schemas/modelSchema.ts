import { isDeeperThan, type JsonObject } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import { inlineReferences } from './inlineReferences.ts';
import { modernSchema } from './modernSchema.ts';
import { normaliseSchema, withKnownRequired } from './normaliseSchema.ts';
import { objectUnion } from './objectUnion.ts';
import { propertyAliases, withAliases, type PropertyAliases } from './propertyAliases.ts';
import { withinDepth, withinSize } from './schemaBounds.ts';
import { branchesOf, propertiesOf, without, type Report } from './schemaNode.ts';
import { visibleSchema } from './visibleSchema.ts';

/** Most repairs and notes told of one schema. */
const maxRepairs = 50;
const maxNotes = 10;

/** An input schema as it is given to the editor and the model. */
export interface ModelSchema {
  readonly schema: JsonObject;
  /** What was changed, with JSON paths of the server's schema. */
  readonly repairs: readonly Problem[];
  /** The renamed properties; `undefined` if every name is the server's own. */
  readonly aliases: PropertyAliases | undefined;
  /** Rules of the whole input that the schema can no longer say, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * The schema in a form no model API and no agent refuses: one bad schema makes them refuse the whole
 * chat request. See `normaliseSchema` for the form; the root is an object with properties, nothing is nested deeper
 * than `depth`, names fit `validPropertyName`. Takes any JSON, never throws, is deterministic, and leaves a
 * schema that needs no repair as it is.
 */
export function modelSchema(
  schema: JsonObject,
  { depth }: { readonly depth: number },
): ModelSchema {
  const repairs: Problem[] = [];
  let more = 0;
  const report: Report = (where, message) => {
    if (repairs.length < maxRepairs) repairs.push({ where, message });
    else more += 1;
  };
  const notes: string[] = [];
  const modern = modernSchema(schema, report);
  const plain = normaliseSchema(inlineReferences(modern, report), report, notes);
  const root = withKnownRequired(asObject(plain, report, notes), '#', report);
  const bounded = withinDepth(root, depth, report);
  const aliases = propertyAliases(bounded);
  const named = withAliases(bounded, aliases, '#', report);
  const visible = visibleSchema(named, report);
  const sized = withinSize(visible, () => sizeOf(schema), report);
  if (more > 0) repairs.push({ where: '#', message: `and ${more} more repairs` });
  return { schema: sized, repairs, aliases, notes: [...new Set(notes)].slice(0, maxNotes) };
}

/** The root as an object: its alternatives as one, anything else as an object without properties. */
function asObject(root: JsonObject, report: Report, notes: string[]): JsonObject {
  const { anyOf, type } = root;
  const isObject = type === 'object' || (type === undefined && anyOf === undefined);
  if (Array.isArray(anyOf)) {
    const say = (node: JsonObject, sentence: string): JsonObject => {
      notes.push(sentence);
      return node;
    };
    const settle = (node: JsonObject): JsonObject => normaliseSchema(node, report, []);
    const place = { path: '#', report, say, settle };
    const united = objectUnion(without(root, 'anyOf'), branchesOf(anyOf), place);
    return { ...united, properties: propertiesOf(united) };
  }
  if (!isObject) report('#', 'the root is no object: read as "takes no arguments"');
  const own = isObject ? root : without(root, ...Object.keys(root));
  return { ...without(own, 'default'), type: 'object', properties: propertiesOf(own) };
}

/** Characters of the server's schema; 0 if it is nested too deeply to be measured. */
function sizeOf(schema: JsonObject): number {
  return isDeeperThan(schema, 1000) ? 0 : JSON.stringify(schema).length;
}
