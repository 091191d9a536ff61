import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { withUsableValues } from './keywordValues.ts';
import { withModernKeywords } from './legacyKeywords.ts';
import { baseInside, documentBase, References } from './references.ts';
import { mapSubschemas, without, type Report, type Schema } from './schemaNode.ts';
import { withKnownType } from './typeNames.ts';

/** Deepest nesting of schemas read; what lies below may be anything. */
const maxLevels = 128;

/**
 * Any schema as one of draft 2020-12 that can be relied on: every subschema is an object or a boolean, every known
 * keyword has a value that means something, and each `$ref` is `#/$defs/<number>` and leads to
 * something. References that lead nowhere, or out of the document, are left out. What was wrong is reported.
 */
export function modernSchema(
  schema: JsonObject,
  report: Report = () => undefined,
  onLostReference: () => void = () => undefined,
): JsonObject {
  const references = new References(schema);
  const numbers = new Map<string, number>();
  const queue: (() => Schema)[] = [];

  function modern(value: JsonValue, path: string, base: string, depth: number): Schema {
    if (typeof value === 'boolean') return value;
    if (!isJsonObject(value)) {
      report(path, 'not a schema: read as "anything"');
      return {};
    }
    if (depth > maxLevels) {
      report(path, `nested deeper than ${maxLevels} levels: read as "anything"`);
      return {};
    }
    const inside = baseInside(value, base);
    const checked = withUsableValues(withModernKeywords(value, path, report), path, report);
    const typed = withKnownType(checked, path, report);
    const node = mapSubschemas(without(typed, ...bookkeeping), path, (subschema, at) =>
      modern(subschema, at, inside, depth + 1),
    );
    const { $ref } = checked;
    return typeof $ref === 'string' ? withTarget(node, $ref, path, inside) : node;
  }

  function withTarget(node: JsonObject, reference: string, path: string, base: string): JsonObject {
    const target = references.find(reference, base);
    if (target === undefined) {
      onLostReference();
      const what = reference.slice(0, 200).toWellFormed();
      report(path, `"$ref" to "${what}" leads nowhere in this schema: read as "anything"`);
      return node;
    }
    let number = numbers.get(target.key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(target.key, number);
      queue.push(() => modern(target.value, `#${target.key.slice(0, 200)}`, target.base, 0));
    }
    return { ...node, $ref: `#/$defs/${number}` };
  }

  const root = modern(schema, '#', documentBase, 0);
  const definitions: Schema[] = [];
  for (const make of queue) definitions.push(make());
  const node = isJsonObject(root) ? root : {};
  if (definitions.length === 0) return node;
  return { ...node, $defs: Object.fromEntries(definitions.map((one, index) => [`${index}`, one])) };
}

/** Keywords that only say where things are, or speak to people who read the schema. */
const bookkeeping = [
  '$anchor',
  '$comment',
  '$defs',
  '$id',
  '$recursiveAnchor',
  '$ref',
  '$schema',
  '$vocabulary',
  'definitions',
] as const;

/** The schema a `$ref` of a modern schema leads to. */
export function definitionOf(
  modern: JsonObject,
  reference: JsonValue | undefined,
): Schema | undefined {
  const definitions = modern['$defs'];
  if (typeof reference !== 'string' || !isJsonObject(definitions)) return undefined;
  const found = definitions[reference.slice('#/$defs/'.length)];
  return isJsonObject(found) || typeof found === 'boolean' ? found : undefined;
}

/** Whether a `$ref` of the schema leads nowhere, or out of it: validators give up on such a schema. */
export function leadsNowhere(schema: JsonObject): boolean {
  let isLost = false;
  modernSchema(schema, undefined, () => {
    isLost = true;
  });
  return isLost;
}
