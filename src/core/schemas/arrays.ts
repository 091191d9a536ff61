import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Place } from './place.ts';
import { branchesOf, without } from './schemaNode.ts';

/** The node with tuples and closed arrays said by `items` (always a schema), `maxItems` and words. */
export function withPlainArray(node: JsonObject, { path, report, say, settle }: Place): JsonObject {
  const { prefixItems, items, maxItems } = node;
  const isTuple = Array.isArray(prefixItems);
  if (!isTuple && items !== false) return node;
  const first = branchesOf(prefixItems);
  const count = isTuple ? prefixItems.length : 0;
  const isClosed = items === false;
  const result = without(node, 'prefixItems', 'items');
  if (isClosed)
    result['maxItems'] = typeof maxItems === 'number' ? Math.min(maxItems, count) : count;
  const allowed = isJsonObject(items) ? [...first, items] : first;
  const [only] = allowed;
  result['items'] = allowed.length > 1 ? settle({ anyOf: allowed }) : (only ?? {});
  if (!isTuple) return result;
  report(path, 'a list of "items" is read as one schema for all of them');
  const names = first.slice(0, 20).map((item) => nameOf(item));
  return say(result, `Items in this order: ${names.join(', ')}${first.length > 20 ? ', …' : ''}.`);
}

function nameOf({ title, description, type }: JsonObject): string {
  const text = [title, description, type].find((value) => typeof value === 'string');
  return typeof text === 'string' ? text.slice(0, 60).toWellFormed() : 'any';
}
