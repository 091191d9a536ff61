import { z } from 'zod';
import { jsonEqual } from '../base/json.ts';
import type { Problem } from '../core/problem.ts';

/** One page of any list, each entry unchecked. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly nextCursor?: string | undefined;
}

export interface ListBounds {
  /** `tools/list`, …: names the list in problems. */
  readonly method: string;
  /** What its entries are called: `tools`, … */
  readonly noun: string;
  readonly maxPages: number;
  readonly maxItems: number;
}

/** Cursors are opaque; what is no usable one ends the list. */
export const cursorSchema = z.string().max(4096).optional().catch(undefined);

/**
 * Reads all pages of a list (MCP specification, "Pagination"). Stops at a cursor that came before and at
 * the bounds; what was read until then is kept and the stop is reported.
 */
export async function readPages(
  { method, noun, maxPages, maxItems }: ListBounds,
  requestPage: (cursor: string | undefined) => Promise<ListPage>,
): Promise<{ items: unknown[]; problems: Problem[] }> {
  const read: unknown[] = [];
  const cursors = new Set<string>();
  let previous: readonly unknown[] | undefined;
  let cursor: string | undefined;
  const stopped = (why: string) => ({
    items: read.slice(0, maxItems),
    problems: [{ where: method, message: `The list of ${noun} may be incomplete: ${why}.` }],
  });
  for (let page = 1; ; page++) {
    const { items, nextCursor } = await requestPage(cursor);
    if (cursor !== undefined && isSamePage(items, previous)) return stopped('a page came twice');
    read.push(...items);
    previous = items;
    if (read.length > maxItems) return stopped(`only the first ${maxItems} ${noun} are used`);
    if (nextCursor === undefined || nextCursor === '') return { items: read, problems: [] };
    if (cursors.has(nextCursor)) return stopped('the server gave the same cursor twice');
    if (page >= maxPages) return stopped(`only the first ${maxPages} pages are read`);
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

function isSamePage(left: unknown, right: unknown): boolean {
  try {
    return jsonEqual(left, right);
  } catch {
    // Nested too deeply to be compared; the limits end the reading.
    return false;
  }
}
