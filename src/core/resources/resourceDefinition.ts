import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { boundedText } from '../boundedText.ts';
import type { Problem } from '../problem.ts';
import { templateVariables, type TemplateVariable } from './uriTemplate.ts';

/** One resource as its server listed it (MCP specification, `Resource`). */
export interface ResourceDefinition {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, as the server says. */
  readonly size?: number;
}

/** Resources that are named by a URI template (MCP specification, `ResourceTemplate`). */
export interface ResourceTemplateDefinition {
  readonly uriTemplate: string;
  /** The template's variables, in order. */
  readonly variables: readonly TemplateVariable[];
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** What a server is known to have to read. */
export interface ServerResources {
  readonly resources: readonly ResourceDefinition[];
  readonly templates: readonly ResourceTemplateDefinition[];
  /** Entries that could not be read, limits that were hit, a list that could not be had. */
  readonly problems: readonly Problem[];
}

/** Longest URI read, in characters. */
export const maxUri = 8192;
const maxText = 4096;
const maxName = 256;

/** Reads the members of `resources/list`; one that cannot be used costs only itself. */
export function readResources(values: readonly unknown[]): {
  resources: ResourceDefinition[];
  problems: Problem[];
} {
  const { items, problems } = readEntries('resources/list', 'uri', values, (entry, uri) => {
    const { size } = entry;
    const isSize = typeof size === 'number' && Number.isFinite(size) && size >= 0;
    return { uri, ...described(entry, uri), ...(isSize && { size }) };
  });
  return { resources: items, problems };
}

/** Reads the members of `resources/templates/list`; one that cannot be used costs only itself. */
export function readResourceTemplates(values: readonly unknown[]): {
  templates: ResourceTemplateDefinition[];
  problems: Problem[];
} {
  const { items, problems } = readEntries(
    'resources/templates/list',
    'uriTemplate',
    values,
    (entry, uriTemplate) => {
      const variables = templateVariables(uriTemplate);
      return variables && { uriTemplate, variables, ...described(entry, uriTemplate) };
    },
  );
  return { templates: items, problems };
}

function described(entry: JsonObject, fallback: string) {
  const title = boundedText(entry['title'], maxName);
  const description = boundedText(entry['description'], maxText);
  const mimeType = boundedText(entry['mimeType'], 100);
  return {
    name: boundedText(entry['name'], maxName) ?? fallback.slice(0, maxName).toWellFormed(),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** Of entries with the same key the first counts. All that are left out give one problem together. */
function readEntries<T>(
  where: string,
  key: string,
  values: readonly unknown[],
  read: (entry: JsonObject, key: string) => T | undefined,
): { items: T[]; problems: Problem[] } {
  const items = new Map<string, T>();
  let unusable = 0;
  for (const value of values) {
    const id = isJsonObject(value) ? value[key] : undefined;
    const isId = typeof id === 'string' && id !== '' && id.length <= maxUri && id.isWellFormed();
    const item = isJsonObject(value) && isId ? read(value, id) : undefined;
    if (item === undefined || !isId) unusable += 1;
    else if (!items.has(id)) items.set(id, item);
  }
  const message = `${unusable} left out: each needs a valid "${key}" of 1 to ${maxUri} characters.`;
  return { items: [...items.values()], problems: unusable === 0 ? [] : [{ where, message }] };
}
