import type { BridgedServer, BridgedTool, ToolCallResult } from '../api.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import type { CatalogTool, ToolCatalog } from '../core/tools/toolCatalog.ts';
import { failureParts, type ToolCallOutcome } from '../core/tools/toolCall.ts';

/** The tools as other extensions see them: a frozen copy. */
export function bridgedTools({ servers }: ToolCatalog): readonly BridgedTool[] {
  return frozenCopy(servers.flatMap(({ tools }) => tools.map(toBridgedTool)));
}

/** The servers as other extensions see them: a frozen copy. */
export function bridgedServers({ servers }: ToolCatalog): readonly BridgedServer[] {
  return frozenCopy(servers.map(({ server }) => toBridgedServer(server)));
}

/** Texts that differ exactly when what `bridgedTools` and `bridgedServers` give differs; much cheaper than those. */
export function apiDigests({ servers }: ToolCatalog): { tools: string; servers: string } {
  const tools = servers.flatMap((server) =>
    server.tools.map(({ exposedName, fingerprint, availability }) => [
      server.server.configuration.key,
      exposedName,
      fingerprint,
      availability,
    ]),
  );
  return {
    tools: JSON.stringify(tools),
    servers: JSON.stringify(servers.map(({ server }) => toBridgedServer(server))),
  };
}

export function toToolCallResult(outcome: ToolCallOutcome): ToolCallResult {
  const isFailure = outcome.kind === 'failure';
  const parts = isFailure ? failureParts(outcome.message) : outcome.parts;
  return frozenCopy({
    isError: isFailure || outcome.isError,
    content: parts.map((part) =>
      part.kind === 'text'
        ? { type: 'text' as const, text: part.text }
        : { type: 'image' as const, mimeType: part.mimeType, data: part.base64 },
    ),
    ...(!isFailure && outcome.meta !== undefined && { _meta: outcome.meta }),
  });
}

function toBridgedTool(tool: CatalogTool): BridgedTool {
  const { exposedName, configuration, definition, modelDescription, modelSchema, availability } =
    tool;
  const title = definition.title ?? definition.annotations.title;
  return {
    name: exposedName,
    server: configuration.key,
    originalName: definition.name,
    ...(title !== undefined && { title }),
    description: modelDescription,
    inputSchema: modelSchema,
    availability: availability.kind,
    ...(availability.kind === 'leftOut' && { reason: availability.reason }),
  };
}

function toBridgedServer({ configuration, state }: McpServer): BridgedServer {
  const { scope, extension } = configuration.origin;
  return {
    key: configuration.key,
    scope,
    ...(extension !== undefined && { extension }),
    state: state.kind,
    ...(state.kind === 'error' && { message: state.message }),
  };
}

/** Of JSON only. Nobody who gets it can change what others get, or what the bridge works with. */
function frozenCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) => Object.freeze(member)) as T;
}
