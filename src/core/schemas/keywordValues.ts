import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { isPattern } from './patterns.ts';
import { listKeywords, mapKeywords, schemaKeywords, type Report } from './schemaNode.ts';

/** Deepest nesting of a value in `enum`, `const`, `default` and `examples`. */
const maxValueDepth = 16;

/** The node without known keywords whose value can mean nothing; such a value makes validators give up. */
export function withUsableValues(node: JsonObject, path: string, report: Report): JsonObject {
  const entries = Object.entries(node).flatMap(([keyword, value]): [string, JsonValue][] => {
    const usable = usableValue(keyword, value);
    const isSame =
      usable === value ||
      (Array.isArray(usable) && Array.isArray(value) && usable.length === value.length);
    if (!isSame) {
      const what = isDeeperThan(value, maxValueDepth) ? '…' : JSON.stringify(value).slice(0, 60);
      report(
        path,
        `"${keyword}" of ${what.toWellFormed()} is ${usable === undefined ? 'left out' : 'corrected'}`,
      );
    }
    return usable === undefined ? [] : [[keyword, usable]];
  });
  return Object.fromEntries(entries);
}

function usableValue(keyword: string, value: JsonValue): JsonValue | undefined {
  if (mapKeywords.has(keyword)) return isJsonObject(value) ? value : undefined;
  if (listKeywords.has(keyword))
    return Array.isArray(value) && value.length > 0 ? value : undefined;
  if (schemaKeywords.has(keyword)) {
    // The array keeps its `items`, as a schema that allows anything.
    const isSchema = isJsonObject(value) || typeof value === 'boolean' || keyword === 'items';
    return isSchema ? value : undefined;
  }
  const rule = rules.get(keyword);
  return rule === undefined ? value : rule(value);
}

type Rule = (value: JsonValue) => JsonValue | undefined;

const when =
  (test: (value: JsonValue) => boolean): Rule =>
  (value) =>
    test(value) ? value : undefined;
const text = when((value) => typeof value === 'string');
const count = when((value) => Number.isSafeInteger(value) && Number(value) >= 0);
const number = when((value) => typeof value === 'number');
const shallow = when((value) => !isDeeperThan(value, maxValueDepth));

function names(value: JsonValue): JsonValue | undefined {
  const list = (typeof value === 'string' ? [value] : Array.isArray(value) ? value : []).filter(
    (name) => typeof name === 'string',
  );
  return list.length === 0 && !isEmpty(value) ? undefined : [...new Set(list)];
}

const isEmpty = (value: JsonValue): boolean => Array.isArray(value) && value.length === 0;

function differentValues(value: JsonValue): JsonValue | undefined {
  if (!Array.isArray(value) || isDeeperThan(value, maxValueDepth)) return undefined;
  const different = [...new Map(value.map((one) => [JSON.stringify(one), one])).values()];
  return different.length === 0 ? undefined : different;
}

function mapOfNames(value: JsonValue): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  const isFine = (list: JsonValue): boolean =>
    Array.isArray(list) && list.every((name) => typeof name === 'string');
  if (Object.values(value).every(isFine)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, list]) => [name, names(list) ?? []]));
}

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['title', 'description', 'format', '$ref', '$id', '$anchor'].map(
    (name) => [name, text] as const,
  ),
  ...['Items', 'Length', 'Properties', 'Contains'].flatMap((name) => [
    [`min${name}`, count] as const,
    [`max${name}`, count] as const,
  ]),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(
    (name) => [name, number] as const,
  ),
  ['multipleOf', when((value) => typeof value === 'number' && value > 0)],
  ['pattern', when((value) => typeof value === 'string' && isPattern(value))],
  ['uniqueItems', when((value) => typeof value === 'boolean')],
  ['required', names],
  ['enum', differentValues],
  ['const', shallow],
  ['type', shallow],
  ['default', shallow],
  ['examples', shallow],
  ['example', shallow],
  ['dependentRequired', mapOfNames],
]);
