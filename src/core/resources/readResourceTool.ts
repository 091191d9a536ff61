import { oneLine } from '../boundedText.ts';
import type { McpServer } from '../servers/mcpServers.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';
import { cleanName } from '../tools/toolName.ts';
import type { ServerResources } from './resourceDefinition.ts';

const toolName = 'read_resource';
/** Most entries the description names, and their characters together: it is part of every request. */
const maxListed = 20;
const maxTemplates = 10;
const maxLength = 1700;
/** A cut URI cannot be read, so longer ones are not named at all. */
const maxShownUri = 300;

/**
 * The server with a tool among its own that reads its resources, if it has any and the settings want that:
 * agents know no resources, but tools. A tool of the server's own of that name keeps it; then there is none.
 */
export function withReadResourceTool(server: McpServer): McpServer {
  const { configuration, tools, resources } = server;
  if (!configuration.resources || tools === undefined || resources === undefined) return server;
  if (resources.resources.length + resources.templates.length === 0) return server;
  // A name that only becomes the same when it is exposed would lose its own to the collision.
  const rival = tools.tools.find(({ name }) => cleanName(name) === toolName);
  if (rival === undefined) {
    return { ...server, tools: { ...tools, tools: [...tools.tools, definitionFor(resources)] } };
  }
  const message = `There is no tool for reading the server's resources: it has a tool "${rival.name}" of its own, which is the one agents get.`;
  const problems = [...tools.problems, { where: toolName, message }];
  return { ...server, tools: { ...tools, problems } };
}

/** Kept for as long as the list lives: what is derived from a definition is kept for the object. */
const definitions = new WeakMap<ServerResources, ToolDefinition>();

function definitionFor(resources: ServerResources): ToolDefinition {
  const known = definitions.get(resources);
  if (known !== undefined) return known;
  const definition: ToolDefinition = {
    name: toolName,
    title: 'Read Resource',
    description: description(resources),
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string', minLength: 1, maxLength: 8192, description: 'URI of the resource.' },
      },
      required: ['uri'],
    },
    annotations: { readOnlyHint: true },
    target: 'resource',
  };
  definitions.set(resources, definition);
  return definition;
}

/** Holds no counts and only the first entries, so that it stays the same while a long list grows. */
function description({ resources, templates }: ServerResources): string {
  const head = 'Reads a resource of this MCP server by its URI and returns its content.';
  const shownTemplates = templates
    .filter(({ uriTemplate }) => uriTemplate.length <= maxShownUri)
    .slice(0, maxTemplates)
    .map(({ uriTemplate, ...entry }) => line(uriTemplate, entry));
  const shownResources = resources
    .filter(({ uri }) => uri.length <= maxShownUri)
    .slice(0, maxListed)
    .map(({ uri, ...entry }) => line(uri, entry));
  const sections = [
    ['URI templates (put a percent-encoded value in place of each {variable}):', shownTemplates],
    ['Resources:', shownResources],
  ] as const;
  const lines = [head];
  let room = maxLength;
  let missing = templates.length + resources.length;
  for (const [title, entries] of sections) {
    if (entries.length > 0) lines.push(title);
    for (const entry of entries) {
      room -= entry.length;
      if (room < 0) break;
      lines.push(entry);
      missing -= 1;
    }
  }
  if (missing > 0) lines.push('There are more; results of other tools may name them.');
  return lines.join('\n');
}

function line(
  address: string,
  entry: { readonly name: string; readonly title?: string; readonly description?: string },
): string {
  const name = oneLine(entry.title ?? entry.name, 80);
  const about = entry.description === undefined ? '' : `: ${oneLine(entry.description, 100)}`;
  return `- ${address} – ${name}${about}`;
}
