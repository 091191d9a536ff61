export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether the value is a plain JSON object (not null, not a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text with the keys of every object sorted: equal values give equal text, whatever their key order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (!isJsonObject(member)) return member;
    return Object.fromEntries(
      Object.entries(member).toSorted(([left], [right]) =>
        left < right ? -1 : left > right ? 1 : 0,
      ),
    );
  });
}

/** Deep equality of JSON values; the order of object keys does not matter. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}

/** Whether lists and objects are nested deeper than so many levels. Works at any depth; `JSON.stringify` does not. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true;
    layer = layer.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

/**
 * The length of the value as JSON, in characters, without escapes; counting stops a little above `most`.
 * Works at any depth; `JSON.stringify` does not.
 */
export function jsonLength(value: unknown, most: number): number {
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && length <= most) {
    const item = waiting.pop();
    if (typeof item === 'string') length += item.length + 2;
    else if (typeof item !== 'object' || item === null) length += String(item).length;
    else {
      const isList = Array.isArray(item);
      length += 2;
      for (const [key, member] of Object.entries(item)) {
        length += isList ? 1 : key.length + 4;
        waiting.push(member);
      }
    }
  }
  return length;
}
