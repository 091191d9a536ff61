import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { listKeywords, mapKeywords, schemaKeywords } from '../schemas/schemaNode.ts';

/** A parameter that a tool wants repeated in an HTTP header (MCP specification 2026-07-28, "Custom Headers"). */
export interface HeaderParameter {
  /** Names of the properties that lead to it, from the arguments on. */
  readonly path: readonly string[];
  /** What follows `Mcp-Param-` in the name of the header. */
  readonly header: string;
}

const keyword = 'x-mcp-header';
/** RFC 9110, "Tokens": what the name of a header may be. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const mirrored: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * The parameters that an input schema marks with `x-mcp-header`, or, as a sentence without its end, which
 * rule of the specification a mark breaks: such a tool must not be used.
 */
export function readHeaderParameters(inputSchema: JsonObject): HeaderParameter[] | string {
  const found: HeaderParameter[] = [];
  const problem = visit(inputSchema, [], found);
  if (problem !== undefined) return problem;
  const names = new Set(found.map(({ header }) => header.toLowerCase()));
  return names.size === found.length ? found : `two of its parameters share a name in "${keyword}"`;
}

/** Goes through a schema; `path` is `undefined` where not only `properties` lead to it. */
function visit(
  schema: JsonValue,
  path: readonly string[] | undefined,
  found: HeaderParameter[],
): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  if (Object.hasOwn(schema, keyword)) {
    const parameter = readMark(schema, path);
    if (typeof parameter === 'string') return parameter;
    found.push(parameter);
  }
  for (const [name, value] of Object.entries(schema)) {
    for (const [member, subschema] of subschemas(name, value)) {
      const below = name === 'properties' && path !== undefined ? [...path, member] : undefined;
      const problem = visit(subschema, below, found);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function readMark(
  { [keyword]: header, type }: JsonObject,
  path: readonly string[] | undefined,
): HeaderParameter | string {
  if (path === undefined || path.length === 0) {
    return `"${keyword}" stands where it does not belong to one parameter`;
  }
  const where = `"${keyword}" of its parameter "${path.join('.').slice(0, 100)}"`;
  if (typeof header !== 'string' || !token.test(header)) return `${where} is no name of a header`;
  // A parameter that may be null besides is sent without the header then.
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null');
  if (types.length === 0 || !types.every((one) => mirrored.has(one))) {
    return `${where} needs the type string, integer or boolean`;
  }
  return { path, header };
}

function subschemas(name: string, value: JsonValue): [string, JsonValue][] {
  const isMap = mapKeywords.has(name) || name === '$defs' || name === 'definitions';
  if (isMap && isJsonObject(value)) return Object.entries(value);
  const isList = Array.isArray(value) && (listKeywords.has(name) || schemaKeywords.has(name));
  if (isList) return value.map((one) => ['', one]);
  return schemaKeywords.has(name) ? [['', value]] : [];
}

/** The headers of a call with these arguments; what is absent, null or of another type has none. */
export function parameterHeaders(
  parameters: readonly HeaderParameter[],
  args: JsonObject,
): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap(({ path, header }) => {
      const text = headerText(valueAt(args, path));
      return text === undefined ? [] : [[`Mcp-Param-${header}`, headerValue(text)]];
    }),
  );
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const name of path) {
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

function headerText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const isSent = typeof value === 'boolean' || Number.isSafeInteger(value);
  return isSent ? JSON.stringify(value) : undefined;
}

/** Text as the value of a header: as it is, or encoded when a header would alter or refuse it. */
function headerValue(text: string): string {
  const isPlain = /^[\t -~]*$/.test(text) && text === text.trim();
  if (isPlain && text !== '' && !/^=\?base64\?.*\?=$/i.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}
