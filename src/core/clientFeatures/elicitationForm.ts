import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** What can be chosen in a field, with the label people see. */
interface Choice {
  readonly value: string;
  readonly label: string;
}

/** One question of a form (MCP specification, "Elicitation": `PrimitiveSchemaDefinition`). */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices';
  readonly choices: readonly Choice[];
  readonly defaultValue?: JsonValue;
  /** The answer in its own type, or the sentence that says what is wrong with the text. */
  readonly parse: (text: string) => { readonly value: JsonValue } | { readonly problem: string };
}

/** Most fields of one form; longer ones are not asked. */
const maxFields = 30;
const maxText = 300;

/** Reads `requestedSchema`; `undefined` if it is not a flat object of simple fields, which the specification demands. */
export function readForm(schema: unknown): FormField[] | undefined {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  if (!isJsonObject(schema) || (properties !== undefined && !isJsonObject(properties))) {
    return undefined;
  }
  const entries = Object.entries(properties ?? {});
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  if (entries.length > maxFields) return undefined;
  const fields = entries.map(([name, field]) => readField(name, field, required.includes(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function readField(name: string, field: JsonValue, isRequired: boolean): FormField | undefined {
  if (!isJsonObject(field)) return undefined;
  const kind = kindOf(field);
  if (kind === undefined) return undefined;
  const { default: defaultValue } = field;
  return {
    name,
    label: textOf(field['title']) || name.slice(0, maxText),
    description: textOf(field['description']),
    isRequired,
    kind,
    choices: choicesOf(kind === 'choices' && isJsonObject(field['items']) ? field['items'] : field),
    ...(defaultValue !== undefined && { defaultValue }),
    parse: (text) => parse(field, kind, text),
  };
}

function kindOf(field: JsonObject): FormField['kind'] | undefined {
  switch (field['type']) {
    case 'string':
      return choicesOf(field).length > 0 ? 'choice' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return isJsonObject(field['items']) && choicesOf(field['items']).length > 0
        ? 'choices'
        : undefined;
    default:
      return undefined;
  }
}

/** `enum` with or without `enumNames`, or `oneOf`/`anyOf` of `const` with `title`. */
function choicesOf(field: JsonObject): Choice[] {
  const { enum: values, enumNames: labels, oneOf, anyOf } = field;
  if (Array.isArray(values)) {
    return values
      .filter((value) => typeof value === 'string')
      .map((value, index) => ({
        value,
        label: textOf(Array.isArray(labels) ? labels[index] : undefined) || value,
      }));
  }
  const titled = [oneOf, anyOf].find((list) => Array.isArray(list)) ?? [];
  return titled.flatMap((option) =>
    isJsonObject(option) && typeof option['const'] === 'string'
      ? [{ value: option['const'], label: textOf(option['title']) || option['const'] }]
      : [],
  );
}

function parse(
  field: JsonObject,
  kind: FormField['kind'],
  text: string,
): ReturnType<FormField['parse']> {
  if (kind === 'number') {
    const value = Number(text.trim());
    const problem = numberProblem(field, text, value);
    return problem === undefined ? { value } : { problem };
  }
  const problem = textProblem(field, text);
  return problem === undefined ? { value: text } : { problem };
}

function numberProblem(field: JsonObject, text: string, value: number): string | undefined {
  const { type, minimum, maximum } = field;
  if (text.trim() === '' || !Number.isFinite(value)) return 'Must be a number.';
  if (type === 'integer' && !Number.isInteger(value)) return 'Must be a whole number.';
  if (typeof minimum === 'number' && value < minimum) return `Must be at least ${minimum}.`;
  if (typeof maximum === 'number' && value > maximum) return `Must be at most ${maximum}.`;
  return undefined;
}

const formats: ReadonlyMap<string, readonly [test: (text: string) => boolean, problem: string]> =
  new Map([
    ['email', [(text) => /^[^\s@]+@[^\s@]+$/.test(text), 'Must be an e-mail address.']],
    ['uri', [(text) => URL.canParse(text), 'Must be an address, such as https://example.com.']],
    [
      'date',
      [
        (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)),
        'Must be a date, such as 2026-12-31.',
      ],
    ],
    [
      'date-time',
      [
        (text) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
        'Must be a date and time, such as 2026-12-31T12:00:00Z.',
      ],
    ],
  ]);

function textProblem(field: JsonObject, text: string): string | undefined {
  const { minLength, maxLength, format } = field;
  const length = Array.from(text).length;
  if (typeof minLength === 'number' && length < minLength)
    return `At least ${minLength} characters.`;
  if (typeof maxLength === 'number' && length > maxLength)
    return `At most ${maxLength} characters.`;
  const [test, problem] = formats.get(typeof format === 'string' ? format : '') ?? [];
  return test === undefined || test(text) ? undefined : problem;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim().slice(0, maxText) : '';
}
