import { z } from 'zod';
import type { Problem } from '../core/problem.ts';
import { cursorSchema, readPages, type ListPage } from './readPages.ts';

/** The lists of a server that can change while it runs. Templates count as resources. */
export type ListName = 'tools' | 'resources' | 'prompts';

export interface ListOptions {
  /** For each page. */
  readonly seconds: number;
  readonly maxPages: number;
  readonly signal: AbortSignal;
}

/** The lists besides tools: the member of a page that holds the entries, and how many are read. */
const lists = {
  'resources/list': { member: 'resources', maxItems: 1000 },
  'resources/templates/list': { member: 'resourceTemplates', maxItems: 200 },
  'prompts/list': { member: 'prompts', maxItems: 500 },
} as const;

export type ListMethod = keyof typeof lists;

const pageSchema = z.looseObject({ nextCursor: cursorSchema });

/**
 * Reads all pages of a list, within bounds. `request` gives the result of the method as it was sent, or
 * `undefined` when the server has no such method.
 */
export function readList(
  method: ListMethod,
  maxPages: number,
  request: (params: { cursor?: string }) => Promise<unknown>,
): Promise<{ items: unknown[]; problems: Problem[] }> {
  const { member, maxItems } = lists[method];
  return readPages({ method, noun: member, maxPages, maxItems }, async (cursor) => {
    const page = pageSchema.safeParse(await request(cursor === undefined ? {} : { cursor }));
    if (!page.success) return { items: [] } satisfies ListPage;
    const { nextCursor, [member]: items } = page.data;
    return { items: Array.isArray(items) ? items : [], nextCursor };
  });
}
