import { isJsonObject, jsonEqual } from '../../base/json.ts';
import { parsedJson } from './jsonText.ts';

/**
 * Whether the texts of a result already say its `structuredContent`: one of them, or all of them together, is
 * JSON of an equal value. Some servers wrap what is no object as `{ "result": … }` (FastMCP): a text that
 * is the wrapped value says it too.
 */
export function isSaidAlready(texts: readonly string[], structured: unknown): boolean {
  const values = [structured];
  if (isJsonObject(structured) && Object.keys(structured).join() === 'result') {
    values.push(structured['result']);
  }
  const candidates = texts.length > 1 ? [...texts, texts.join('')] : texts;
  return candidates.some((text) => {
    if (values.includes(text)) return true;
    const said = parsedJson(text);
    return said !== undefined && values.some((value) => jsonEqual(said, value));
  });
}
