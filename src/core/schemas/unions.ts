import type { JsonObject, JsonValue } from '../../base/json.ts';
import { annotations, keywordsOfType } from './keywords.ts';
import { mergeSchemas } from './mergeSchemas.ts';
import { objectUnion } from './objectUnion.ts';
import type { Place } from './place.ts';
import { branchesOf, propertiesOf, without } from './schemaNode.ts';

const isAnything = (node: JsonObject): boolean =>
  Object.keys(node).every((keyword) => annotations.has(keyword));

/** The node with `anyOf` and nothing but annotations beside it, or without it where one schema says the same. */
export function withPlainUnion(node: JsonObject, place: Place): JsonObject {
  if (!Array.isArray(node['anyOf'])) return without(node, 'anyOf');
  const branches = branchesOf(node['anyOf']).flatMap((branch) => {
    const { anyOf, ...beside } = branch;
    return anyOf !== undefined && Object.keys(beside).length === 0 ? branchesOf(anyOf) : [branch];
  });
  const base = without(node, 'anyOf');
  if (branches.length === 0 || branches.some(isAnything)) return base;
  if (isAnything(base)) return united(base, branches, place);
  if (Object.keys(propertiesOf(base)).length > 0) return objectUnion(base, branches, place);
  const own = Object.fromEntries(Object.entries(base).filter(([name]) => annotations.has(name)));
  const rules = without(base, ...annotations);
  const complete = branches
    .filter((branch) => canMerge(rules, branch))
    .map((branch) => place.settle(mergeSchemas(branch, rules, place)));
  return complete.length === 0 ? base : united(own, complete, place);
}

/** A branch of another type than its parent allows can never fit. */
function canMerge({ type }: JsonObject, branch: JsonObject): boolean {
  const allowed: (JsonValue | undefined)[] = Array.isArray(type) ? type : [type];
  const wanted = branch['type'];
  if (type === undefined || wanted === undefined || allowed.includes(wanted)) return true;
  return (
    (wanted === 'integer' && allowed.includes('number')) ||
    (wanted === 'number' && allowed.includes('integer'))
  );
}

function united(own: JsonObject, branches: readonly JsonObject[], place: Place): JsonObject {
  const different = withOneEnum([
    ...new Map(branches.map((branch) => [JSON.stringify(branch), branch])).values(),
  ]);
  const [only] = different;
  if (different.length > 1 || only === undefined) return { ...own, anyOf: different };
  return mergeSchemas(own, only, place);
}

/** Branches that only list texts are one list. */
function withOneEnum(branches: readonly JsonObject[]): JsonObject[] {
  const isList = (branch: JsonObject): boolean =>
    Array.isArray(branch['enum']) && Object.keys(branch).length === 2;
  const lists = branches.filter(isList);
  if (lists.length < 2) return [...branches];
  const values = lists.flatMap(({ enum: list }) => (Array.isArray(list) ? list : []));
  return [
    { type: 'string', enum: [...new Set(values)] },
    ...branches.filter((branch) => !isList(branch)),
  ];
}

/** The node with a list of types said by `anyOf`, each branch with the keywords of its type. */
export function withTypesSplit(node: JsonObject, place: Place): JsonObject {
  const { type } = node;
  if (!Array.isArray(type)) return node;
  const types = type
    .filter((one) => typeof one === 'string')
    .filter((one) => one !== 'integer' || !type.includes('number'));
  const [only] = types;
  if (types.length < 2) return only === undefined ? without(node, 'type') : { ...node, type: only };
  const own = Object.fromEntries(Object.entries(node).filter(([name]) => annotations.has(name)));
  const branchOf = (one: string): JsonObject =>
    place.settle({ type: one, ...keywordsOfType(node, one) });
  return { ...own, anyOf: types.map(branchOf) };
}
