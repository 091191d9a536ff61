import type { CatalogServer, CatalogTool, ToolCatalog } from './toolCatalog.ts';

/**
 * What of the catalog fits a text a person wrote: servers whose key holds all words of it, with everything they have, and
 * of the others the tools that fit, without what a server has besides tools. Case does not matter; a text without words fits all.
 */
export function filteredCatalog(catalog: ToolCatalog, text: string): ToolCatalog {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return catalog;
  const fits = (searched: string): boolean => words.every((word) => searched.includes(word));
  const servers = catalog.servers.flatMap((server): CatalogServer[] => {
    const { key } = server.server.configuration;
    if (fits(key.toLowerCase())) return [server];
    const tools = server.tools.filter((tool) => fits(`${key}\n${namesOf(tool)}`.toLowerCase()));
    if (tools.length === 0) return [];
    const { resources: _resources, prompts: _prompts, ...rest } = server.server;
    return [{ ...server, server: rest, tools, problems: [] }];
  });
  return { ...catalog, servers };
}

function namesOf({ exposedName, definition: { name, title, annotations } }: CatalogTool): string {
  return [exposedName, name, title ?? '', annotations.title ?? ''].join('\n');
}
