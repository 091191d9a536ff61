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

/** Deep equality of JSON values, at any depth; the order of object keys does not matter, nor do members that are `undefined`. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  const pairs: (readonly [unknown, unknown])[] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other] = pair;
    if (Object.is(one, other) || one === other) continue;
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return false;
      one.forEach((item, index) => pairs.push([item, other[index]]));
    } else if (isJsonObject(one) && isJsonObject(other)) {
      const members = new Map(definedMembers(one));
      const others = definedMembers(other);
      if (members.size !== others.length) return false;
      for (const [key, member] of others) {
        if (!members.has(key)) return false;
        pairs.push([members.get(key), member]);
      }
    } else return false;
  }
  return true;
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Only the members that have a value. */
export function definedOnly<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(definedMembers(members)) as Defined<T>;
}

function definedMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
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
