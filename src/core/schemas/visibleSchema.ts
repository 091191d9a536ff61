import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { visibleText } from '../visibleText.ts';
import type { Report } from './schemaNode.ts';

/** Keywords whose values are words for the reader; what stands elsewhere must stay exactly as it is. */
const words: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

/** The schema with hidden characters in its words written out; the same object where there are none. */
export function visibleSchema(schema: JsonObject, report: Report): JsonObject {
  const visit = (node: JsonValue, where: string): JsonValue => {
    if (Array.isArray(node)) {
      const items = node.map((item, index) => visit(item, `${where}/${index}`));
      return items.every((item, index) => item === node[index]) ? node : items;
    }
    if (!isJsonObject(node)) return node;
    const members = Object.entries(node).map(([name, value]): [string, JsonValue] => {
      const place = `${where}/${name}`;
      if (typeof value !== 'string' || !words.has(name)) return [name, visit(value, place)];
      const text = visibleText(value);
      if (text !== value) report(place, 'hidden characters are written out');
      return [name, text];
    });
    return members.every(([name, value]) => value === node[name])
      ? node
      : Object.fromEntries<JsonValue>(members);
  };
  return visit(schema, '#') as JsonObject;
}
