import MiniSearch from 'minisearch';
import { isJsonObject } from '../../base/json.ts';
import { shortened } from '../boundedText.ts';
import { plainName, queryWords, searchWords } from './searchWords.ts';
import { isCallable, type CatalogTool, type ToolCatalog } from './toolCatalog.ts';

/** Most tools one search gives back. */
export const maxFound = 20;
/** Most characters of one answer; only a single large schema may have more. The editor moves 8 KB into a file. */
export const maxAnswer = 6000;
/** Longest description of a tool in an answer. */
const maxDescription = 1000;

interface Document {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly server: string;
  readonly description: string;
  readonly parameters: string;
  readonly parameterTexts: string;
}

export interface FoundTools {
  /** Best match first. */
  readonly tools: readonly CatalogTool[];
  /** How many tools match at all. */
  readonly total: number;
}

/** One index for each catalog. */
const indexes = new WeakMap<ToolCatalog, MiniSearch<Document>>();

/**
 * Finds the tools a model may call, best match first: a tool whose name or title is the query, then by the words
 * of names, titles, servers, descriptions and parameters, in any order, form or with a slip of the pen. An empty
 * query, or one that matches nothing, finds nothing.
 */
export function findTools(catalog: ToolCatalog, query: string, limit: number): FoundTools {
  const asked = query.slice(0, 1000);
  const { own, similar } = queryWords(asked);
  const matches = indexOf(catalog)
    .search(asked, {
      tokenize: () => [...own, ...similar],
      boostTerm: (_term, position) => (position < own.length ? 1 : 0.35),
    })
    .flatMap(({ id }) => catalog.tools.get(String(id)) ?? []);
  const name = plainName(asked);
  const isExact = ({ exposedName, definition: { name: own, title = '' } }: CatalogTool): boolean =>
    [exposedName, own, title].some((candidate) => plainName(candidate) === name);
  const ranked = [...matches.filter(isExact), ...matches.filter((tool) => !isExact(tool))];
  return {
    tools: ranked.slice(0, Math.max(1, Math.min(limit, maxFound))),
    total: ranked.length,
  };
}

function indexOf(catalog: ToolCatalog): MiniSearch<Document> {
  const known = indexes.get(catalog);
  if (known !== undefined) return known;
  const index = new MiniSearch<Document>({
    fields: ['name', 'title', 'server', 'description', 'parameters', 'parameterTexts'],
    tokenize: searchWords,
    processTerm: (term) => term,
    searchOptions: {
      boost: { name: 4, title: 3, server: 2, parameters: 1.5, parameterTexts: 0.7 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { prefix: 0.5, fuzzy: 0.3 },
    },
  });
  index.addAll([...catalog.tools.values()].filter(isCallable).map(toDocument));
  indexes.set(catalog, index);
  return index;
}

function toDocument({ exposedName, definition, configuration }: CatalogTool): Document {
  const { properties } = definition.inputSchema;
  const parameters = isJsonObject(properties) ? Object.entries(properties).slice(0, 200) : [];
  return {
    id: exposedName,
    // A renamed tool is found by both of its names.
    name: configuration.rename.has(definition.name)
      ? `${definition.name} ${configuration.rename.get(definition.name)}`
      : definition.name,
    title: definition.title ?? definition.annotations.title ?? '',
    server: configuration.key,
    description: definition.description.slice(0, 4096),
    parameters: parameters.map(([name]) => name).join(' '),
    parameterTexts: parameters.map(([, schema]) => textOf(schema)).join(' '),
  };
}

function textOf(schema: unknown): string {
  const description = isJsonObject(schema) ? schema['description'] : undefined;
  return typeof description === 'string' ? description.slice(0, 500) : '';
}

/**
 * The answer for the model: each tool with name, server, description and input schema, as many as fit; the
 * best one always. Those left are named at least, or counted.
 */
export function foundText({ tools, total }: FoundTools): string {
  const shown: string[] = [];
  const named: string[] = [];
  let room = maxAnswer;
  for (const tool of tools) {
    const text = describe(tool);
    if (shown.length === 0 || text.length <= room) {
      shown.push(text);
      room -= text.length + 2;
    } else named.push(tool.exposedName);
  }
  const more = total - tools.length;
  if (named.length > 0) {
    shown.push(`No room for these, search for one by its name: ${named.join(', ')}`);
  }
  if (more > 0) {
    shown.push(
      `${more} more tools match less well. More precise words, or a higher limit, find them.`,
    );
  }
  return shown.join('\n\n');
}

function describe({
  exposedName,
  configuration,
  modelDescription,
  modelSchema,
}: CatalogTool): string {
  return [
    `name: ${exposedName}`,
    `server: ${configuration.key}`,
    `description: ${shortened(modelDescription, maxDescription)}`,
    `inputSchema: ${JSON.stringify(modelSchema)}`,
  ].join('\n');
}
