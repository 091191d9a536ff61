import { z } from 'zod';
import { jsonEqual, jsonLength } from '../base/json.ts';
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
  /** The setting that bounds their number, where there is one. */
  readonly itemsLimit?: string;
}

/** Most JSON of all entries of a list together, in characters. */
export const maxListChars = 4 * 1024 * 1024;

/** Cursors are opaque; what is no usable one ends the list. */
export const cursorSchema = z.string().max(4096).optional().catch(undefined);

/**
 * Reads all pages of a list (MCP specification, "Pagination"). Stops at a cursor that came before and at
 * the bounds; what was read until then is kept and the stop is reported.
 */
export async function readPages(
  { method, noun, maxPages, maxItems, itemsLimit }: ListBounds,
  requestPage: (cursor: string | undefined) => Promise<ListPage>,
): Promise<{ items: unknown[]; problems: Problem[] }> {
  const read: unknown[] = [];
  const cursors = new Set<string>();
  let size = 0;
  let previous: readonly unknown[] | undefined;
  let cursor: string | undefined;
  const stopped = (why: string) => ({
    items: read,
    problems: [{ where: method, message: `The list of ${noun} may be incomplete: ${why}.` }],
  });
  for (let page = 1; ; page++) {
    const { items, nextCursor } = await requestPage(cursor);
    if (cursor !== undefined && isSamePage(items, previous)) return stopped('a page came twice');
    previous = items;
    for (const item of items) {
      size += jsonLength(item, maxListChars);
      if (size > maxListChars) {
        return stopped(`all its ${noun} together have more than ${maxListChars} characters`);
      }
      if (read.length >= maxItems) {
        const setting = itemsLimit === undefined ? '' : ` ("${itemsLimit}")`;
        return stopped(`only the first ${maxItems} ${noun} are used${setting}`);
      }
      read.push(item);
    }
    if (nextCursor === undefined || nextCursor === '') return { items: read, problems: [] };
    if (cursors.has(nextCursor)) return stopped('the server gave the same cursor twice');
    if (page >= maxPages)
      return stopped(`only the first ${maxPages} pages are read ("limits.pages")`);
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
