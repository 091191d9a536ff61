import { z } from 'zod';
import { readTools } from '../core/tools/toolDefinition.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import { cursorSchema, readPages } from './readPages.ts';

/** Most pages of `tools/list` and most tools read from one server. */
export const maxPages = 64;
export const maxTools = 1000;

/** Reads as much as can be used; each tool is checked by itself afterwards. */
export const toolsPage = z.looseObject({
  tools: z.array(z.unknown()).catch([]),
  nextCursor: cursorSchema,
});

export type ToolsPage = z.infer<typeof toolsPage>;

/** Reads all pages of `tools/list`, within bounds. */
export async function listTools(
  requestPage: (cursor: string | undefined) => Promise<ToolsPage>,
): Promise<ServerTools> {
  const bounds = { method: 'tools/list', noun: 'tools', maxPages, maxItems: maxTools };
  const { items, problems } = await readPages(bounds, async (cursor) => {
    const { tools, nextCursor } = await requestPage(cursor);
    return { items: tools, nextCursor };
  });
  const read = readTools(items);
  return { tools: read.tools, problems: [...problems, ...read.problems], isFromCache: false };
}
