import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { shortened } from '../boundedText.ts';

/** One field of the form for a tool's arguments. What has no field of its own is written as JSON. */
export interface FormField {
  /** Keys from the arguments down to the value. */
  readonly path: readonly string[];
  readonly kind: 'text' | 'number' | 'choice' | 'json' | 'group';
  readonly isRequired: boolean;
  readonly description: string;
  /** What a `choice` is among. */
  readonly choices: readonly JsonValue[];
  /** The text the field begins with. */
  readonly initial: string;
  /** Those of a `group`. */
  readonly fields: readonly FormField[];
}

const maxFields = 200;
const maxDepth = 4;

/** The fields for an object schema; at most 200, and what is nested deeper than four levels is one field of JSON. */
export function formFields(schema: JsonObject): FormField[] {
  const room = { left: maxFields };
  return fieldsOf(schema, [], room);
}

function fieldsOf(
  { properties, required }: JsonObject,
  parent: readonly string[],
  room: { left: number },
): FormField[] {
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, value]) => {
    if (room.left <= 0) return [];
    room.left -= 1;
    const schema = isJsonObject(value) ? value : {};
    const path = [...parent, name];
    const choices = choicesOf(schema);
    const fields = path.length < maxDepth ? fieldsOf(schema, path, room) : [];
    const kind = kindOf(schema, choices, fields);
    const { description } = schema;
    return [
      {
        path,
        kind,
        isRequired: Array.isArray(required) && required.includes(name),
        description: typeof description === 'string' ? shortened(description, 1000) : '',
        choices,
        initial: kind === 'group' ? '' : fieldText(kind, choices, schema['default']),
        fields: kind === 'group' ? fields : [],
      },
    ];
  });
}

function choicesOf(schema: JsonObject): JsonValue[] {
  if (Array.isArray(schema['enum'])) return schema['enum'].slice(0, 500);
  if (schema['const'] !== undefined) return [schema['const']];
  return schema['type'] === 'boolean' ? [true, false] : [];
}

function kindOf(
  { type }: JsonObject,
  choices: readonly JsonValue[],
  fields: readonly FormField[],
): FormField['kind'] {
  if (choices.length > 0) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return fields.length > 0 ? 'group' : 'json';
}

/** What a field shows for a value; a choice shows its place in the list. The empty text stands for no value. */
function fieldText(
  kind: FormField['kind'],
  choices: readonly JsonValue[],
  value: JsonValue | undefined,
): string {
  if (value === undefined) return '';
  if (kind === 'choice') {
    const index = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
    return index < 0 ? '' : String(index);
  }
  return kind === 'text' && typeof value === 'string' ? value : JSON.stringify(value);
}
