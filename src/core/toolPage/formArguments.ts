import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { FormField } from './formFields.ts';

/**
 * The arguments that the texts of the fields stand for; `textOf` gives the text of a field. An empty field is left out,
 * unless it is a required text. Or the sentence that says which field cannot be read.
 */
export function formArguments(
  fields: readonly FormField[],
  textOf: (field: FormField) => string,
): JsonObject | string {
  const members: [string, JsonValue][] = [];
  for (const field of fields) {
    const name = field.path.at(-1) ?? '';
    if (field.kind === 'group') {
      const value = formArguments(field.fields, textOf);
      if (typeof value === 'string') return value;
      if (field.isRequired || Object.keys(value).length > 0) members.push([name, value]);
      continue;
    }
    const text = textOf(field);
    if (text === '' && !(field.kind === 'text' && field.isRequired)) continue;
    try {
      members.push([name, fieldValue(field, text)]);
    } catch {
      return `"${field.path.join('.')}" is no ${field.kind === 'number' ? 'number' : 'JSON'}: correct it or leave it empty.`;
    }
  }
  // Not by assignment: a property may be called `__proto__`.
  return Object.fromEntries(members);
}

function fieldValue({ kind, choices }: FormField, text: string): JsonValue {
  if (kind === 'text') return text;
  if (kind === 'choice') return choices[Number(text)] ?? null;
  const value = JSON.parse(text) as JsonValue;
  if (kind === 'number' && typeof value !== 'number') throw new TypeError('no number');
  return value;
}
