import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';

/** How often each thing occurs in the definition of a tool that makes its schema hard to pass on. */
export type Oddities = Readonly<Record<string, number>>;

type Count = (what: string) => void;

/** Counts what is unusual in a tool's description and input schema; what does not occur is absent. */
export function schemaOddities(description: string, schema: JsonObject): Oddities {
  const counts = new Map<string, number>();
  const count: Count = (what) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  if (description.trim() === '') count('no description');
  if (description.length > 2048) count('tool description > 2048');
  const deepest = visit(schema, { depth: 0, isDefinition: false }, count);
  for (const limit of [8, 16]) if (deepest > limit) count(`nested > ${limit} levels`);
  if (JSON.stringify(schema).length > 10_000) count('schema > 10,000 characters');
  return Object.fromEntries([...counts]);
}

/** Keywords whose mere presence is worth a count. */
const rareKeywords = [
  '$defs',
  '$ref',
  '$schema',
  'allOf',
  'anyOf',
  'const',
  'contains',
  'default',
  'definitions',
  'dependentSchemas',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'if',
  'maxItems',
  'maxLength',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'propertyNames',
  'uniqueItems',
];
const definitionKeywords = new Set(['$defs', 'definitions']);
/** Their members are schemas; their keys are names, not keywords. */
const mapKeywords = new Set([
  ...definitionKeywords,
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
/** What lies below is a value, not a schema. */
const valueKeywords = new Set(['const', 'default', 'enum', 'examples', 'required']);

interface Place {
  readonly depth: number;
  /** Below `$defs` or `definitions`. */
  readonly isDefinition: boolean;
}

/** Visits every schema below the node; gives the depth of the deepest. */
function visit(node: JsonObject, place: Place, count: Count): number {
  for (const keyword of rareKeywords) if (Object.hasOwn(node, keyword)) count(keyword);
  countShape(node, place, count);
  let deepest = place.depth;
  for (const [keyword, value] of Object.entries(node)) {
    if (valueKeywords.has(keyword)) continue;
    const below: Place = {
      depth: place.depth + 1,
      isDefinition: place.isDefinition || definitionKeywords.has(keyword),
    };
    for (const child of childrenOf(keyword, value)) {
      if (isJsonObject(child)) deepest = Math.max(deepest, visit(child, below, count));
      else if (typeof child === 'boolean' && mapKeywords.has(keyword)) count('boolean schema');
    }
  }
  return deepest;
}

function childrenOf(keyword: string, value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return mapKeywords.has(keyword) && isJsonObject(value) ? Object.values(value) : [value];
}

function countShape(node: JsonObject, { depth, isDefinition }: Place, count: Count): void {
  const { type, items, format, enum: values, description, additionalProperties: others } = node;
  if (Array.isArray(type)) count('type list');
  if (type === 'array' && !isJsonObject(items)) count('array without items object');
  if (typeof format === 'string') count(`format ${format}`);
  if (Array.isArray(values) && values.includes(null)) count('enum with null');
  if (isJsonObject(others)) count('additionalProperties schema');
  if (isDefinition && Object.hasOwn(node, '$ref')) count('$ref within a definition');
  if (typeof description === 'string' && description.length > 1024) {
    count('nested description > 1024');
  }
  if (depth > 0 && Object.keys(node).every((keyword) => keyword === 'description')) {
    count('schema for anything');
  }
}
