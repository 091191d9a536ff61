import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { shortened } from '../boundedText.ts';

/** One property of an input schema as a line of a table. */
export interface SchemaRow {
  readonly name: string;
  /** 0: a property of the arguments themselves. */
  readonly depth: number;
  readonly type: string;
  readonly isRequired: boolean;
  readonly initial: string;
  readonly rules: string;
  readonly description: string;
}

const maxRows = 300;
const maxDepth = 8;
const maxText = 1000;
const ruleNames = [
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'examples',
] as const;

/** The properties of an input schema, nested ones below their parent; at most 300 rows and 8 levels. */
export function schemaRows(schema: JsonObject): SchemaRow[] {
  const rows: SchemaRow[] = [];
  addProperties(rows, schema, 0);
  return rows;
}

function addProperties(rows: SchemaRow[], schema: JsonObject, depth: number): void {
  const { properties, required } = schema;
  if (!isJsonObject(properties) || depth >= maxDepth) return;
  for (const [name, value] of Object.entries(properties)) {
    if (rows.length >= maxRows) return;
    const member = isJsonObject(value) ? value : {};
    const isRequired = Array.isArray(required) && required.includes(name);
    rows.push({
      name: shortened(name, maxText),
      depth,
      type: typeText(member),
      isRequired,
      initial: member['default'] === undefined ? '' : jsonText(member['default']),
      rules: rulesText(member),
      description:
        typeof member['description'] === 'string' ? shortened(member['description'], maxText) : '',
    });
    addProperties(rows, isJsonObject(member['items']) ? member['items'] : member, depth + 1);
  }
}

/** `string`, `string | null`, `array of object`, `any`. */
function typeText({ type, items }: JsonObject): string {
  const name = Array.isArray(type)
    ? type.map((one) => JSON.stringify(one).replaceAll('"', '')).join(' | ')
    : type;
  if (typeof name !== 'string') return 'any';
  if (name !== 'array' || !isJsonObject(items)) return shortened(name, 100);
  return `array of ${typeof items['type'] === 'string' ? shortened(items['type'], 100) : 'any'}`;
}

function rulesText(schema: JsonObject): string {
  const rules = ruleNames.flatMap((name) => {
    const value = schema[name];
    return value === undefined ? [] : [`${name}: ${jsonText(value)}`];
  });
  return shortened(rules.join('; '), maxText);
}

function jsonText(value: JsonValue): string {
  return shortened(JSON.stringify(value), maxText);
}
