import MiniSearch from 'minisearch';
import { isJsonObject } from '../../base/json.ts';
import { isCallable, type CatalogTool, type ToolCatalog } from './toolCatalog.ts';

/** Most tools one search gives back. */
export const maxFound = 20;

interface Document {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly server: string;
  readonly description: string;
  readonly parameters: string;
}

/**
 * Finds the tools a model may call, best match first: by the words of their names, titles, servers,
 * descriptions and parameter names. An empty query, or one that matches nothing, gives `[]`.
 */
export function findTools(catalog: ToolCatalog, query: string, limit: number): CatalogTool[] {
  const callable = [...catalog.tools.values()].filter(isCallable);
  const index = new MiniSearch<Document>({
    fields: ['name', 'title', 'server', 'description', 'parameters'],
    tokenize: words,
    searchOptions: {
      boost: { name: 4, title: 3, server: 2, parameters: 1.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(callable.map(toDocument));
  return index
    .search(query.slice(0, 1000))
    .slice(0, Math.max(1, Math.min(limit, maxFound)))
    .flatMap(({ id }) => catalog.tools.get(String(id)) ?? []);
}

function toDocument({ exposedName, definition, configuration }: CatalogTool): Document {
  const { properties } = definition.inputSchema;
  return {
    id: exposedName,
    name: definition.name,
    title: definition.title ?? '',
    server: configuration.key,
    description: definition.description.slice(0, 4096),
    parameters: isJsonObject(properties) ? Object.keys(properties).slice(0, 200).join(' ') : '',
  };
}

/** Words of a text; `createIssue` and `create_issue` both hold `create` and `issue`. */
function words(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
