import type { CatalogServer, CatalogTool, ToolCatalog } from './toolCatalog.ts';

/**
 * The next catalog with the objects of the previous one wherever nothing changed: the list of tools of a
 * server, or the whole server. What was made from them can be kept.
 */
export function reuseUnchanged(previous: ToolCatalog, next: ToolCatalog): ToolCatalog {
  const before = new Map(
    previous.servers.map((server) => [server.server.configuration.id, server]),
  );
  const servers = next.servers.map((server) => {
    const old = before.get(server.server.configuration.id);
    return old === undefined ? server : reuseServer(old, server);
  });
  const tools = new Map(
    servers.flatMap((server) => server.tools.map((tool) => [tool.exposedName, tool])),
  );
  return { ...next, servers, tools };
}

function reuseServer(old: CatalogServer, server: CatalogServer): CatalogServer {
  const isSameList =
    old.prefix === server.prefix &&
    old.tools.length === server.tools.length &&
    old.tools.every((tool, index) => isSameTool(tool, server.tools[index]));
  const tools = isSameList ? old.tools : server.tools;
  const isSame =
    isSameList &&
    old.server.state === server.server.state &&
    old.server.tools === server.server.tools &&
    old.server.resources === server.server.resources &&
    old.server.prompts === server.server.prompts &&
    old.server.configuration === server.server.configuration &&
    // Both come from the same tools and settings, except that names depend on other servers too.
    old.problems.length === server.problems.length &&
    old.problems.every(({ message }, index) => message === server.problems[index]?.message);
  return isSame ? old : { ...server, tools };
}

function isSameTool(old: CatalogTool, tool: CatalogTool | undefined): boolean {
  return (
    tool !== undefined &&
    old.definition === tool.definition &&
    old.configuration === tool.configuration &&
    old.fingerprint === tool.fingerprint &&
    old.availability.kind === tool.availability.kind &&
    reasonOf(old) === reasonOf(tool)
  );
}

function reasonOf({ availability }: CatalogTool): string | undefined {
  return 'reason' in availability ? availability.reason : undefined;
}
