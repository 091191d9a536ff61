import { definedOnly } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import { confirmOf, toolTimeoutsOf } from './entryConfiguration.ts';
import type { Entry } from './entrySchema.ts';
import { applyLimits } from './limits.ts';
import { tighten } from './overlay.ts';
import type { ServerConfiguration } from './serverConfiguration.ts';

/**
 * Lays an entry of the user's own settings over a server that an extension registered. It may tighten it like
 * any narrower scope, and decide what an extension may not or only proposes: when calls are asked about,
 * limits, names, places, times. How the server is launched stays with the extension.
 */
export function decide(
  base: ServerConfiguration,
  entry: Entry,
): { configuration: ServerConfiguration; problems: readonly Problem[] } {
  const { confirm, trustAnnotations, limits, prefix, rename, priority, pin, ...rest } = entry;
  const { start, idleStop, timeouts, newTools, changedTools, ...narrowing } = rest;
  const { tools, ...times } = timeouts ?? {};
  const tightened = tighten(base, narrowing);
  const applied = applyLimits(base.limits, limits ?? {}, 'user', base.key);
  return {
    problems: [...tightened.problems, ...applied.problems],
    configuration: {
      ...tightened.configuration,
      ...definedOnly({ prefix, priority, pin, start, idleStop, trustAnnotations }),
      ...definedOnly({ newTools, changedTools }),
      ...(confirm !== undefined && { confirm: confirmOf({ confirm }) }),
      ...(rename !== undefined && { rename: new Map(Object.entries(rename)) }),
      limits: applied.limits,
      timeouts: {
        ...base.timeouts,
        ...definedOnly(times),
        ...(tools !== undefined && { tools: toolTimeoutsOf(tools) }),
      },
    },
  };
}
