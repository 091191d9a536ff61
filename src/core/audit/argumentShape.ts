import { isJsonObject } from '../../base/json.ts';

/** Names and sizes of a value without what is in it: `string(12)`, `[string(3), …]`, `{ path: string(9) }`. */
export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

const maxDepth = 3;
const maxMembers = 50;
const maxItems = 3;
const maxName = 80;

/** Names of members are bounded too: a model may put anything there. */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === null) return 'null';
  if (typeof value === 'string') return `string(${value.length})`;
  if (Array.isArray(value)) {
    if (depth >= maxDepth || value.length === 0) return `array(${value.length})`;
    const items = value.slice(0, maxItems).map((item) => shapeOf(item, depth + 1));
    return value.length > maxItems ? [...items, `and ${value.length - maxItems} more`] : items;
  }
  if (!isJsonObject(value)) return typeof value;
  const entries = Object.entries(value);
  if (depth >= maxDepth) return `object(${entries.length})`;
  const members = entries
    .slice(0, maxMembers)
    .map(([name, member]) => [name.slice(0, maxName), shapeOf(member, depth + 1)] as const);
  const more = entries.length - members.length;
  return Object.fromEntries(more > 0 ? [...members, ['…', `and ${more} more`]] : members);
}
