/** Most tools the editor allows in one request, and the number `auto` offers even where others have many. */
const mostTools = 128;
const leastAutomatic = 16;

/**
 * Most tools in one request to a model without tool search that the editor passes on as they are. It allows
 * 128, but from 64 on it gives each extension a share of the 88 that are left to show, and replaces what does not fit
 * by `activate_…` entries, the meta-tools too. By its rule that happens at 72 in 2 of 7,000 random mixes of
 * up to 14 servers, at 74 in every fiftieth, at 80 in every second (Copilot Chat 0.67.0, 40 built-in tools).
 */
const ungrouped = 72;

/** Built-in tools in a request of Copilot's agent (0.67.0), and our two meta-tools. */
const builtIn = 40;
const metaTools = 2;

/** The value of the setting: a number of tools, or a number found from what else agents get. */
export type ToolBudgetSetting = number | 'auto';

/** Reads the setting `mcpBridge.toolBudget`: an integer from 0 to 128; anything else means `auto`. */
export function readToolBudget(value: unknown): ToolBudgetSetting {
  const isNumber = Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostTools;
  return isNumber ? Number(value) : 'auto';
}

/**
 * Most tools that all servers together offer to agents directly. With `auto`: what stays of 72 after the
 * editor's own tools, our two and those of other extensions and of the editor's own MCP servers, but at
 * least 16. `foreign` counts only the latter two.
 */
export function toolBudget(setting: ToolBudgetSetting, foreign: number): number {
  if (setting !== 'auto') return setting;
  return Math.max(leastAutomatic, ungrouped - builtIn - metaTools - foreign);
}

/** A count that follows `counted` only when it is more than a few off, so that the budget does not flap. */
export function steadyCount(previous: number | undefined, counted: number): number {
  return previous !== undefined && Math.abs(counted - previous) <= 2 ? previous : counted;
}

/** One server with the tools it would offer, in its own order. */
export interface BudgetServer<T> {
  readonly priority: number;
  readonly tools: readonly T[];
  readonly isPinned: (tool: T) => boolean;
}

/**
 * The tools that get a place among `budget`: first all pinned ones, then those of the servers of highest
 * priority, and so on. Where servers of one priority do not all fit, each gets as many places as the others
 * but no more than it has tools, so small servers keep everything and the largest give up most; a
 * server's first tools stay. One tool more or less moves the places of few others.
 */
export function withinBudget<T>(
  servers: readonly BudgetServer<T>[],
  budget: number,
): ReadonlySet<T> {
  const kept = new Set<T>();
  const levels = [...new Set(servers.map(({ priority }) => priority))].toSorted((a, b) => b - a);
  for (const pinned of [true, false]) {
    for (const level of levels) {
      const queues = servers
        .filter(({ priority }) => priority === level)
        .map(({ tools, isPinned }) => tools.filter((tool) => isPinned(tool) === pinned));
      const places = shares(
        queues.map(({ length }) => length),
        budget - kept.size,
      );
      queues.forEach((tools, index) => {
        for (const tool of tools.slice(0, places[index])) kept.add(tool);
      });
    }
  }
  return kept;
}

/** Divides the room evenly among all that can use it; what one cannot use goes to the others. The first get the rest. */
function shares(sizes: readonly number[], room: number): number[] {
  const places = sizes.map(() => 0);
  let left = Math.max(room, 0);
  const bySize = sizes
    .map((size, index) => ({ size, index }))
    .toSorted((a, b) => a.size - b.size || b.index - a.index);
  for (const [position, { size, index }] of bySize.entries()) {
    places[index] = Math.min(size, Math.floor(left / (sizes.length - position)));
    left -= places[index];
  }
  return places;
}
