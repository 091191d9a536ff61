import { z } from 'zod';
import { jsonEqual } from '../base/json.ts';
import type { Problem } from '../core/problem.ts';
import { readTools } from '../core/tools/toolDefinition.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';

/** Most pages of `tools/list` and most tools read from one server. */
export const maxPages = 64;
export const maxTools = 1000;

/** Reads as much as can be used; each tool is checked by itself afterwards. */
export const toolsPage = z.looseObject({
  tools: z.array(z.unknown()).catch([]),
  nextCursor: z.string().max(4096).optional().catch(undefined),
});

export type ToolsPage = z.infer<typeof toolsPage>;

/**
 * Reads all pages of `tools/list` (MCP specification, "Pagination"). Stops at a cursor that came before,
 * at `maxPages` and at `maxTools`; what was read until then is kept and the stop is reported.
 */
export async function listTools(
  requestPage: (cursor: string | undefined) => Promise<ToolsPage>,
): Promise<ServerTools> {
  const raw: unknown[] = [];
  const problems: Problem[] = [];
  const cursors = new Set<string>();
  let previous: readonly unknown[] | undefined;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const { tools, nextCursor } = await requestPage(cursor);
    if (cursor !== undefined && isSamePage(tools, previous)) {
      problems.push(stopped('a page came twice'));
      break;
    }
    raw.push(...tools);
    previous = tools;
    if (raw.length > maxTools) {
      problems.push(stopped(`only the first ${maxTools} tools are used`));
      break;
    }
    if (nextCursor === undefined || nextCursor === '') break;
    if (cursors.has(nextCursor)) {
      problems.push(stopped('the server gave the same cursor twice'));
      break;
    }
    if (page >= maxPages) {
      problems.push(stopped(`only the first ${maxPages} pages are read`));
      break;
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
  const read = readTools(raw.slice(0, maxTools));
  return { tools: read.tools, problems: [...problems, ...read.problems], isFromCache: false };
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
