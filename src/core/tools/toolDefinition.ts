import { z } from 'zod';
import { definedOnly, isDeeperThan, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import { defaultLimits, type Limits } from '../settings/limits.ts';
import { leadsNowhere } from '../schemas/modernSchema.ts';
import { typesMeant } from '../schemas/typeNames.ts';

/** Hints a server gives about a tool (MCP specification, `ToolAnnotations`). Claims, not facts. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One tool as its server described it (MCP specification, `Tool`), checked but not altered. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The server's own schema; arguments are checked against this one. */
  readonly inputSchema: JsonObject;
  /** What `structuredContent` of its results should look like; only ever a reason for a warning. */
  readonly outputSchema?: JsonObject;
  readonly annotations: ToolAnnotations;
  /** Whether a call must be made as a task (MCP specification 2025-11-25, `ToolExecution`); anything else needs no care. */
  readonly execution?: { readonly taskSupport: 'required' };
  /** `resource`: made by the bridge, a call reads the resource its argument `uri` names. No server can say so. */
  readonly target?: 'resource';
}

/** Longest name and description read; the specification advises names of at most 128 characters. */
const maxName = 256;
const maxDescription = 65_536;
/** Deepest nesting of a schema read, in levels of JSON. */
const maxSchemaDepth = 256;

const hint = z.boolean().optional().catch(undefined);
const annotationsSchema = z
  .object({
    title: z.string().optional().catch(undefined),
    readOnlyHint: hint,
    destructiveHint: hint,
    idempotentHint: hint,
    openWorldHint: hint,
  })
  .catch({});
const textSchema = z.string().optional().catch(undefined);

/** What of the limits decides whether a tool can be used. */
type SchemaLimits = Pick<Limits, 'schemaChars'>;

/** Reads one member of a `tools/list` result. A tool that cannot be used gives a problem and harms no other. */
export function readTool(
  value: unknown,
  limits: SchemaLimits = defaultLimits,
): { tool: ToolDefinition; problems: Problem[] } | Problem {
  if (!isJsonObject(value)) {
    return leftOut('(unnamed tool)', 'the server sent a tool that is no object');
  }
  const { name } = value;
  if (typeof name !== 'string' || name.trim() === '' || name.length > maxName) {
    const where = typeof name === 'string' ? name.slice(0, 64) : '(unnamed tool)';
    return leftOut(where, `a tool needs a name of 1 to ${maxName} characters`);
  }
  const problems: Problem[] = [];
  const inputSchema = readSchema(name, value['inputSchema'], limits, problems);
  if (typeof inputSchema === 'string') return leftOut(name, inputSchema);
  const outputSchema = readOutputSchema(name, value['outputSchema'], limits, problems);
  const title = textSchema.parse(value['title']);
  const description = textSchema.parse(value['description']) ?? '';
  // zod gives `undefined` members; exact optional properties want them absent.
  const annotations = definedOnly(annotationsSchema.parse(value['annotations'] ?? {}));
  return {
    problems,
    tool: {
      name,
      description: description.slice(0, maxDescription).toWellFormed(),
      inputSchema,
      annotations,
      ...(outputSchema !== undefined && { outputSchema }),
      ...(title !== undefined && { title: title.toWellFormed() }),
      ...(needsTask(value['execution']) && { execution: { taskSupport: 'required' as const } }),
    },
  };
}

/** Reads tools from storage or a server; of two with the same name the first counts. */
export function readTools(
  values: readonly unknown[],
  limits: SchemaLimits = defaultLimits,
): {
  tools: ToolDefinition[];
  problems: Problem[];
} {
  const tools = new Map<string, ToolDefinition>();
  const problems: Problem[] = [];
  for (const value of values) {
    const result = readTool(value, limits);
    if ('message' in result) {
      problems.push(result);
      continue;
    }
    problems.push(...result.problems);
    if (!tools.has(result.tool.name)) tools.set(result.tool.name, result.tool);
    else
      problems.push({
        where: result.tool.name,
        message: `"${result.tool.name.slice(0, 64)}" is listed twice: the first one is used.`,
      });
  }
  return { tools: [...tools.values()], problems };
}

/** The schema, or why the tool cannot be used. */
function readSchema(
  name: string,
  value: unknown,
  { schemaChars }: SchemaLimits,
  problems: Problem[],
): JsonObject | string {
  if (value === true) return {};
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) {
    problems.push({
      where: name,
      message: `"${name.slice(0, 64)}" has no input schema: read as "takes no arguments".`,
    });
    return { type: 'object', properties: {} };
  }
  if (!isJsonObject(value)) return 'its input schema is no object';
  const types = typesMeant(value['type']);
  if (types.length > 0 && !types.includes('object')) {
    return 'its input schema does not describe an object';
  }
  if (isDeeperThan(value, maxSchemaDepth)) {
    return `its input schema is nested deeper than ${maxSchemaDepth} levels`;
  }
  const size = JSON.stringify(value).length;
  if (size <= schemaChars) return value;
  return `its input schema has ${size} characters, more than the ${schemaChars} of "limits.schemaChars"`;
}

function needsTask(execution: unknown): boolean {
  return isJsonObject(execution) && execution['taskSupport'] === 'required';
}

/** Models never see it, so a bad one costs nothing but the check of results. */
function readOutputSchema(
  name: string,
  value: unknown,
  { schemaChars }: SchemaLimits,
  problems: Problem[],
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  const isUsable =
    isJsonObject(value) &&
    !isDeeperThan(value, maxSchemaDepth) &&
    JSON.stringify(value).length <= schemaChars;
  if (isUsable && !leadsNowhere(value)) return value;
  problems.push({
    where: name,
    message: `The output schema of "${name.slice(0, 64)}" cannot be used: results are not checked.`,
  });
  return undefined;
}

function leftOut(where: string, why: string): Problem {
  return { where, message: `"${where.slice(0, 64)}" is left out: ${why}.` };
}
