import { isJsonObject, type JsonValue } from '../../../src/base/json.ts';
import { mapMembers } from '../fixture.ts';

/** Values of placeholders, by name without braces. */
export type Placeholders = Readonly<Record<string, () => JsonValue>>;

const whole = /^\{\{([A-Z_]+)\}\}$/;
const inside = /\{\{([A-Z_]+)\}\}/g;

/**
 * Fills in `{{NAME}}` everywhere. A text that is nothing but a placeholder becomes its value, except for `{{N}}`, which is always text;
 * inside a text the value stands as text. Unknown names stay as they are.
 */
export function fill(value: JsonValue, placeholders: Placeholders): JsonValue {
  if (typeof value === 'string') {
    // Looked for first: texts of some megabytes are common here.
    if (!value.includes('{{')) return value;
    const name = whole.exec(value)?.[1];
    if (name !== undefined && name !== 'N' && Object.hasOwn(placeholders, name)) {
      return placeholders[name]?.() ?? null;
    }
    return value.replace(inside, (text, key: string) => {
      if (!Object.hasOwn(placeholders, key)) return text;
      const found = placeholders[key]?.() ?? null;
      return typeof found === 'string' ? found : JSON.stringify(found);
    });
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, placeholders));
  return isJsonObject(value) ? mapMembers(value, (member) => fill(member, placeholders)) : value;
}
