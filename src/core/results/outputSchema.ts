import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ArgumentCheck } from '../tools/argumentCheck.ts';
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
  checker: Pick<ArgumentCheck, 'check'>,
): string | undefined {
  if (schema === undefined || !isJsonObject(result)) return undefined;
  const { structuredContent, isError, resultType } = result;
  if (isError === true || resultType === 'input_required') return undefined;
  if (structuredContent === undefined) {
    return 'It declares an output schema, but its result has no "structuredContent". The result was passed on all the same.';
  }
  if (compactJson(structuredContent).length > maxChecked) return undefined;
  // The check takes any value; it is made for arguments, which are objects.
  const verdict = checker.check(schema, structuredContent as JsonObject);
  if (verdict.isValid) return undefined;
  return `"structuredContent" of its result does not fit its output schema:\n${verdict.message}\nThe result was passed on all the same.`;
}

/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/**
 * The first `$ref` of a schema that leads nowhere inside it: such a schema cannot be compiled, and nothing is ever fetched.
 * `undefined` if there is none. A schema with parts of other `$id` is not judged.
 */
export function danglingReference(schema: JsonObject): string | undefined {
  const references: string[] = [];
  const anchors = new Set<unknown>();
  const nodes: unknown[] = [schema];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (Array.isArray(node)) {
      nodes.push(...node.filter((item) => typeof item === 'object'));
    } else if (isJsonObject(node)) {
      const { $ref, $anchor, $dynamicAnchor, $id } = node;
      if (typeof $id === 'string' && !$id.startsWith('#') && node !== schema) return undefined;
      if (typeof $ref === 'string') references.push($ref);
      for (const name of [$anchor, $dynamicAnchor]) {
        if (typeof name === 'string') anchors.add(`#${name}`);
      }
      anchors.add($id);
      for (const [key, member] of Object.entries(node)) {
        const isSchema = typeof member === 'object' && member !== null && !dataKeywords.has(key);
        if (isSchema) nodes.push(member);
      }
    }
  }
  return references.find((reference) => !leadsSomewhere(schema, reference, anchors));
}

function leadsSomewhere(
  schema: JsonObject,
  reference: string,
  anchors: ReadonlySet<unknown>,
): boolean {
  const { $id } = schema;
  const base = typeof $id === 'string' ? $id.replace(/#$/, '') : '';
  const own = base !== '' && reference.startsWith(base) ? reference.slice(base.length) : reference;
  // The dialects themselves are known to the validator.
  if (/^https?:\/\/json-schema\.org\//.test(own)) return true;
  if (own === '' || own === '#' || anchors.has(own)) return true;
  return own.startsWith('#/') && pointsTo(schema, own.slice(2));
}

function pointsTo(schema: JsonObject, pointer: string): boolean {
  let value: unknown = schema;
  for (const step of pointer.split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    if (!isThere) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
