import { z } from 'zod';
import { jsonEqual, jsonLength } from '../base/json.ts';
import type { Problem } from '../core/problem.ts';
import type { Limits } from '../core/settings/limits.ts';
import { readTools } from '../core/tools/toolDefinition.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';

/** Most JSON of all tools of one server together, in characters. */
export const maxListChars = 4 * 1024 * 1024;

/** The limits of a server that bound its tool list. */
export type ListLimits = Pick<Limits, 'tools' | 'pages' | 'schemaChars'>;

/** Reads as much as can be used; each tool is checked by itself afterwards. */
export const toolsPage = z.looseObject({
  tools: z.array(z.unknown()).catch([]),
  nextCursor: z.string().max(4096).optional().catch(undefined),
});

export type ToolsPage = z.infer<typeof toolsPage>;

/**
 * Reads all pages of `tools/list` (MCP specification, "Pagination"). Stops at a cursor that came before,
 * at the limits of pages and tools and at `maxListChars`; what was read until then is kept and the stop is reported.
 */
export async function listTools(
  requestPage: (cursor: string | undefined) => Promise<ToolsPage>,
  limits: ListLimits,
): Promise<ServerTools> {
  const raw: unknown[] = [];
  const cursors = new Set<string>();
  let size = 0;
  let previous: readonly unknown[] | undefined;
  let cursor: string | undefined;
  let stop: string | undefined;
  for (let page = 1; stop === undefined; page++) {
    const { tools, nextCursor } = await requestPage(cursor);
    if (cursor !== undefined && isSamePage(tools, previous)) {
      stop = 'a page came twice';
      break;
    }
    previous = tools;
    for (const tool of tools) {
      size += jsonLength(tool, maxListChars);
      if (raw.length >= limits.tools)
        stop = `only the first ${limits.tools} tools are used ("limits.tools")`;
      else if (size > maxListChars)
        stop = `all its tools together have more than ${maxListChars} characters`;
      if (stop !== undefined) break;
      raw.push(tool);
    }
    if (stop !== undefined || nextCursor === undefined || nextCursor === '') break;
    if (cursors.has(nextCursor)) stop = 'the server gave the same cursor twice';
    else if (page >= limits.pages)
      stop = `only the first ${limits.pages} pages are read ("limits.pages")`;
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  const { tools, problems } = readTools(raw, limits);
  return {
    tools,
    problems: [...(stop === undefined ? [] : [stopped(stop)]), ...problems],
    isFromCache: false,
  };
}

function isSamePage(left: unknown, right: unknown): boolean {
  try {
    return jsonEqual(left, right);
  } catch {
    // Nested too deeply to be compared; the limits end the reading.
    return false;
  }
}

function stopped(why: string): Problem {
  return { where: 'tools/list', message: `The tool list may be incomplete: ${why}.` };
}
