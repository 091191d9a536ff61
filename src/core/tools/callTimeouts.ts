import type { Timeouts } from '../settings/serverConfiguration.ts';
import { globMatcher, isGlob } from './toolFilter.ts';

/** The limits of the calls of one tool. */
export interface CallTimeouts extends Timeouts {
  /** The pattern of `timeouts.tools` that a limit comes from, where it comes from one. */
  readonly patterns?: { readonly call?: string; readonly total?: string };
}

/**
 * The limits for a tool, by the server's own name of it: of `timeouts.tools` an exact name wins, else the first pattern
 * that matches counts; what that leaves open is the server's. A total below the silence that was written for
 * the tool would make that senseless, so it rises with it.
 */
export function callTimeouts(timeouts: Timeouts, tool: string): CallTimeouts {
  const { tools = [] } = timeouts;
  const exact = tools.find(([pattern]) => pattern === tool && !isGlob(pattern));
  const [pattern, own] = exact ?? tools.find(([glob]) => globMatcher(glob)(tool)) ?? [];
  if (pattern === undefined || own === undefined) return timeouts;
  const { call, total } = own;
  return {
    ...timeouts,
    call: call ?? timeouts.call,
    total: total ?? Math.max(timeouts.total, call ?? 0),
    patterns: {
      ...(call !== undefined && { call: pattern }),
      ...(total !== undefined && { total: pattern }),
    },
  };
}

/** The setting that a limit stands in, for messages. */
export function timeoutSetting({ patterns }: CallTimeouts, limit: 'call' | 'total'): string {
  const pattern = patterns?.[limit];
  return pattern === undefined
    ? `timeouts.${limit}`
    : `timeouts.tools[${JSON.stringify(pattern)}].${limit}`;
}
