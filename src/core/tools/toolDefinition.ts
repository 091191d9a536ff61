import { z } from 'zod';
import { canonicalJson, isDeeperThan, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import { danglingReference } from '../results/outputSchema.ts';

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
}

/** Longest name and description read; the specification advises names of at most 128 characters. */
const maxName = 256;
const maxDescription = 65_536;
/** Largest schema read, in characters of JSON. */
const maxSchema = 262_144;
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

/** Reads one member of a `tools/list` result. A tool that cannot be used gives a problem and harms no other. */
export function readTool(value: unknown): { tool: ToolDefinition; problems: Problem[] } | Problem {
  if (!isJsonObject(value)) {
    return {
      where: '(unnamed tool)',
      message: 'Left out: the server sent a tool that is no object.',
    };
  }
  const { name } = value;
  if (typeof name !== 'string' || name.trim() === '' || name.length > maxName) {
    return {
      where: typeof name === 'string' ? name.slice(0, 64) : '(unnamed tool)',
      message: `Left out: a tool needs a name of 1 to ${maxName} characters.`,
    };
  }
  const problems: Problem[] = [];
  const inputSchema = readSchema(name, value['inputSchema'], problems);
  if (inputSchema === undefined) {
    return {
      where: name,
      message: `Left out: its input schema is not an object schema, or is larger than ${maxSchema} characters or ${maxSchemaDepth} levels.`,
    };
  }
  const outputSchema = readOutputSchema(name, value['outputSchema'], problems);
  const title = textSchema.parse(value['title']);
  const description = textSchema.parse(value['description']) ?? '';
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
    },
  };
}

/** Reads tools from storage or a server; of two with the same name the first counts. */
export function readTools(values: readonly unknown[]): {
  tools: ToolDefinition[];
  problems: Problem[];
} {
  const tools = new Map<string, ToolDefinition>();
  const problems: Problem[] = [];
  for (const value of values) {
    const result = readTool(value);
    if ('message' in result) {
      problems.push(result);
      continue;
    }
    problems.push(...result.problems);
    if (!tools.has(result.tool.name)) tools.set(result.tool.name, result.tool);
    else
      problems.push({ where: result.tool.name, message: 'Listed twice: the first one is used.' });
  }
  return { tools: [...tools.values()], problems };
}

function readSchema(name: string, value: unknown, problems: Problem[]): JsonObject | undefined {
  if (value === undefined || value === null) {
    problems.push({
      where: name,
      message: 'It has no input schema: read as "takes no arguments".',
    });
    return { type: 'object', properties: {} };
  }
  if (!isJsonObject(value)) return undefined;
  const { type } = value;
  const isObjectSchema =
    type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!isObjectSchema || isDeeperThan(value, maxSchemaDepth)) return undefined;
  return canonicalJson(value).length > maxSchema ? undefined : value;
}

/** Models never see it, so a bad one costs nothing but the check of results. */
function readOutputSchema(
  name: string,
  value: unknown,
  problems: Problem[],
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  const isUsable =
    isJsonObject(value) &&
    !isDeeperThan(value, maxSchemaDepth) &&
    canonicalJson(value).length <= maxSchema;
  const lost = isUsable ? danglingReference(value) : undefined;
  if (isUsable && lost === undefined) return value;
  const why = lost === undefined ? '' : ` ("$ref": "${lost.slice(0, 200)}" leads nowhere)`;
  problems.push({
    where: name,
    message: `Its output schema cannot be used${why}: results are not checked.`,
  });
  return undefined;
}

/** zod gives `undefined` members; exact optional properties want them absent. */
function definedOnly(value: Record<string, unknown>): ToolAnnotations {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
