import { isJsonObject } from '../../base/json.ts';

/** Most values the specification allows, and the longest that is used. */
const maxValues = 100;
const maxLength = 1000;

/** The suggestions of a `CompleteResult` (MCP specification, "Completion"), each once. */
export function completionValues(result: unknown): string[] {
  const completion = isJsonObject(result) ? result['completion'] : undefined;
  const values = isJsonObject(completion) ? completion['values'] : undefined;
  const texts = (Array.isArray(values) ? values : [])
    .slice(0, maxValues)
    .filter(
      (value): value is string =>
        typeof value === 'string' && value !== '' && value.length <= maxLength,
    );
  return [...new Set(texts)];
}
