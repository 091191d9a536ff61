import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import type { PropertyAliases } from '../../src/core/schemas/propertyAliases.ts';

/** Arguments with the server's names, as a model gives them that knows only the names of its schema. */
export function toModel(value: JsonValue, aliases: PropertyAliases | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((item) => toModel(item, aliases?.items));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      aliases?.aliases.get(name) ?? name,
      toModel(member, aliases?.properties.get(name) ?? aliases?.additional),
    ]),
  );
}

/** A value that has everything a schema for models names; of alternatives the last. */
export function fullValue(schema: JsonObject): JsonValue {
  const { type, properties, items, anyOf, enum: values } = schema;
  if (Array.isArray(anyOf)) return anyOf.filter(isJsonObject).map(fullValue).at(-1) ?? null;
  if (Array.isArray(values)) return values[0] ?? null;
  switch (type) {
    case 'object': {
      const members = Object.entries(isJsonObject(properties) ? properties : {});
      return Object.fromEntries(
        members.map(([name, member]) => [name, isJsonObject(member) ? fullValue(member) : null]),
      );
    }
    case 'array':
      return isJsonObject(items) ? [fullValue(items)] : [];
    case 'string':
      return 'text';
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 1;
  }
}
