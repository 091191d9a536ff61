import { z } from 'zod';
import type { Limits } from '../core/settings/limits.ts';
import { readTools } from '../core/tools/toolDefinition.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import { cursorSchema, readPages } from './readPages.ts';

/** The limits of a server that bound its tool list. */
export type ListLimits = Pick<Limits, 'tools' | 'pages' | 'schemaChars'>;

/** Reads as much as can be used; each tool is checked by itself afterwards. */
export const toolsPage = z.looseObject({
  tools: z.array(z.unknown()).catch([]),
  nextCursor: cursorSchema,
});

export type ToolsPage = z.infer<typeof toolsPage>;

/** Reads all pages of `tools/list`, within the limits and the bounds of every list. */
export async function listTools(
  requestPage: (cursor: string | undefined) => Promise<ToolsPage>,
  limits: ListLimits,
): Promise<ServerTools> {
  const bounds = {
    method: 'tools/list',
    noun: 'tools',
    maxPages: limits.pages,
    maxItems: limits.tools,
    itemsLimit: 'limits.tools',
  };
  const { items, problems } = await readPages(bounds, async (cursor) => {
    const { tools, nextCursor } = await requestPage(cursor);
    return { items: tools, nextCursor };
  });
  const read = readTools(items, limits);
  return { tools: read.tools, problems: [...problems, ...read.problems], isFromCache: false };
}
