import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { definitionOf } from './modernSchema.ts';
import { mapSubschemas, without, type Report, type Schema } from './schemaNode.ts';

/** Nodes that may be copied in place of references, beside as many as the whole schema has. */
const spareCopies = 2000;
/** Deepest nesting of what comes out. */
const maxLevels = 128;

/** How often a definition may stand inside itself, and how many references may lead through each other. */
interface Plan {
  readonly again: number;
  readonly nested: number;
}

/** The first plan that stays below the limit of copies is used; the last one is cut where it does not. */
const plans: readonly Plan[] = [
  { again: 3, nested: 64 },
  { again: 2, nested: 64 },
  { again: 1, nested: 64 },
  { again: 1, nested: 8 },
  { again: 1, nested: 4 },
  { again: 1, nested: 2 },
  { again: 1, nested: 1 },
];

/** A modern schema with each `$ref` replaced by what it leads to; recursion ends in "anything". */
export function inlineReferences(modern: JsonObject, report: Report): JsonObject {
  if (!Object.hasOwn(modern, '$defs')) return modern;
  const maxCopied = spareCopies + countNodes(modern);
  for (const plan of plans) {
    const cuts = new Map<string, string>();
    const isLast = plan === plans.at(-1);
    const reportCut: Report = (where, message) => {
      if (!cuts.has(message)) cuts.set(message, where);
    };
    const inlined = tryPlan(modern, { ...plan, maxCopied, isLast }, reportCut);
    if (inlined === undefined) continue;
    for (const [message, where] of cuts) report(where, message);
    return inlined;
  }
  return without(modern, '$defs', '$ref');
}

function countNodes(schema: JsonObject): number {
  let count = 1;
  const visit = (subschema: JsonValue): JsonValue => {
    if (isJsonObject(subschema)) count += countNodes(subschema);
    return null;
  };
  mapSubschemas(schema, '', visit);
  const { $defs } = schema;
  if (isJsonObject($defs)) Object.values($defs).forEach(visit);
  return count;
}

/** `undefined` if the plan takes too many copies and `isLast` does not demand to cut there. */
function tryPlan(
  modern: JsonObject,
  { again, nested: maxNested, maxCopied, isLast }: Plan & { maxCopied: number; isLast: boolean },
  report: Report,
): JsonObject | undefined {
  const open = new Map<string, number>();
  let copied = 0;
  let nested = 0;

  function inline(schema: Schema, path: string, depth: number): Schema {
    if (!isJsonObject(schema)) return schema;
    if (nested > 0) copied += 1;
    if (depth > maxLevels) return {};
    if (copied > maxCopied && !isLast) return {};
    const { $ref } = schema;
    const rest = mapSubschemas(without(schema, '$ref', '$defs'), path, (subschema, at) =>
      inline(subschema as Schema, at, depth + 1),
    );
    if (typeof $ref !== 'string') return rest;
    const target = expanded($ref, path, depth);
    return target === undefined ? rest : combined(rest, target);
  }

  function expanded(reference: string, path: string, depth: number): Schema | undefined {
    const times = open.get(reference) ?? 0;
    if (times >= again || nested >= maxNested || copied > maxCopied) {
      report(
        path,
        times > 0
          ? 'refers to itself: deeper down it is read as "anything"'
          : 'too many references in references: read as "anything"',
      );
      return undefined;
    }
    open.set(reference, times + 1);
    nested += 1;
    const target = inline(definitionOf(modern, reference) ?? true, path, depth + 1);
    nested -= 1;
    open.set(reference, times);
    return target;
  }

  const result = inline(modern, '#', 0);
  if (copied > maxCopied && !isLast) return undefined;
  return isJsonObject(result) ? result : {};
}

const annotations = new Set(['title', 'description', 'default', 'deprecated', 'examples']);

/** What stands beside a `$ref` holds together with what it leads to; its texts come first. */
function combined(beside: JsonObject, target: Schema): Schema {
  if (!isJsonObject(target)) return target;
  if (Object.keys(beside).every((keyword) => annotations.has(keyword)))
    return { ...target, ...beside };
  const { allOf } = beside;
  return { ...beside, allOf: [...(Array.isArray(allOf) ? allOf : []), target] };
}
