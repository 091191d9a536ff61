import type { ConfigurationOrigin } from '../settings/serverConfiguration.ts';
import { globMatcher, isGlob } from './toolFilter.ts';

/** The `allow` and `deny` of one server in one settings file. */
export interface FilterLayer {
  readonly origin: ConfigurationOrigin;
  /** Missing: not written there. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** New lists for one settings file; a list that is missing stays as it is. */
export type FilterEdit = FilterLayer;

/**
 * How the lists are to be changed so that the tool is offered or not: patterns are written and taken away only for exactly
 * this name, in the file whose list decides. A pattern for more than this tool is the person's to change: then
 * the answer is the sentence that names it. `layers`: broadest scope first; what comes first defines the server, or is
 * where the person decides about it.
 */
export function toggleTool(
  layers: readonly FilterLayer[],
  tool: string,
  isWanted: boolean,
): readonly FilterEdit[] | string {
  return isWanted ? switchedOn(layers, tool) : switchedOff(layers, tool);
}

function switchedOff([first]: readonly FilterLayer[], tool: string): FilterEdit[] | string {
  if (first === undefined) return 'Its server is no longer in the settings.';
  const { origin, deny = [] } = first;
  const allow = first.allow && without(first.allow, tool);
  // With an allowlist that names it, taking it out is enough.
  if (allow !== undefined && allow.length > 0 && !matchesAny(allow, tool)) {
    return [{ origin, allow }];
  }
  return [{ origin, deny: [...deny, exactPattern(tool)] }];
}

function switchedOn(layers: readonly FilterLayer[], tool: string): FilterEdit[] | string {
  const edits: FilterEdit[] = [];
  for (const { origin, allow, deny } of layers) {
    const left = deny && without(deny, tool);
    const denial = left?.find((entry) => globMatcher(entry)(tool));
    if (denial !== undefined) {
      return `The pattern "${denial}" in "deny" of your ${origin.scope} settings leaves it out, and others perhaps. Change that pattern.`;
    }
    const isDenied = left?.length !== deny?.length;
    const isMissing = allow !== undefined && !matchesAny(allow, tool);
    if (!isDenied && !isMissing) continue;
    edits.push({
      origin,
      ...(isDenied && left && { deny: left }),
      ...(isMissing && { allow: [...allow, exactPattern(tool)] }),
    });
  }
  return edits;
}

function matchesAny(patterns: readonly string[], tool: string): boolean {
  return patterns.some((pattern) => globMatcher(pattern)(tool));
}

/** The list without what stands for exactly this tool. */
function without(patterns: readonly string[], tool: string): string[] {
  const exact = exactPattern(tool);
  return patterns.filter((pattern) => pattern !== exact);
}

/** A pattern that matches this name only. */
function exactPattern(tool: string): string {
  return isGlob(tool) ? tool.replace(/[*?[\]{}()!+@|\\]/g, '\\$&') : tool;
}
