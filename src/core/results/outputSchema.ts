import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ArgumentCheck } from '../schemas/argumentCheck.ts';
import { compactJson } from './jsonText.ts';

/** Larger results are not checked: that would hold up everything else, and is only for a line in the log. */
const maxChecked = 1_000_000;

/**
 * What is wrong with `structuredContent` by the tool's own output schema, for the log; `undefined` if nothing is.
 * Never a reason to withhold the result. Results with `isError` and open questions are not checked: their
 * reason must reach the model, whatever its form.
 */
export function outputWarning(
  schema: JsonObject | undefined,
  result: unknown,
  checker: Pick<ArgumentCheck, 'problems'>,
): string | undefined {
  if (schema === undefined || !isJsonObject(result)) return undefined;
  const { structuredContent, isError, resultType } = result;
  if (isError === true || resultType === 'input_required') return undefined;
  if (structuredContent === undefined) {
    return 'It declares an output schema, but its result has no "structuredContent". The result was passed on all the same.';
  }
  if (compactJson(structuredContent).length > maxChecked) return undefined;
  const problems = checker.problems(schema, structuredContent);
  if (problems === undefined) return undefined;
  return `"structuredContent" of its result does not fit its output schema:\n${problems}\nThe result was passed on all the same.`;
}
