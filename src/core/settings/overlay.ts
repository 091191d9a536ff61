import type { Problem } from '../problem.ts';
import type { Entry } from './entrySchema.ts';
import { applyLimits } from './limits.ts';
import {
  definedIn,
  type Confirm,
  type ConfirmRule,
  type ServerConfiguration,
} from './serverConfiguration.ts';

const strictness: Readonly<Record<ConfirmRule, number>> = { never: 0, writes: 1, always: 2 };

/**
 * Lays an entry of a narrower scope over a server of a broader one. What it may do: deny more tools,
 * allow fewer, confirm more, lower limits, hide tools behind search, switch the server off. Anything else is ignored
 * and reported, so that a workspace cannot loosen what its user decided.
 */
export function tighten(
  base: ServerConfiguration,
  entry: Entry,
): { configuration: ServerConfiguration; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const ignored = (name: string, why: string): void => {
    problems.push({
      where: `${base.key}.${name}`,
      message: `"${name}" of "${base.key}" is ignored here: ${why}. ${definedIn(base.origin)}.`,
    });
  };
  for (const name of ['args', 'cwd', 'env', 'envFile', 'headers', 'timeouts'] as const) {
    if (entry[name] !== undefined) ignored(name, 'it would change how the server runs');
  }
  for (const name of ['prefix', 'rename'] as const) {
    if (entry[name] !== undefined) ignored(name, 'it would change the names of the tools');
  }
  for (const name of ['priority', 'pin'] as const) {
    if (entry[name] !== undefined) ignored(name, 'it would decide which tools keep their place');
  }
  for (const name of ['resources', 'prompts'] as const) {
    if (entry[name] === true && !base[name]) ignored(name, 'it is switched off');
  }
  if (entry.trustAnnotations === true && !base.trustAnnotations) {
    ignored('trustAnnotations', 'it would ask less often');
  }
  if (entry.start !== undefined) ignored('start', 'it would change when the server runs');
  if (entry.enabled === true && !base.enabled) ignored('enabled', 'the server is switched off');

  let confirm: Confirm = base.confirm;
  if (typeof entry.confirm === 'string' && typeof base.confirm === 'string') {
    if (strictness[entry.confirm] >= strictness[base.confirm]) confirm = entry.confirm;
    else ignored('confirm', 'it would ask less often');
  } else if (entry.confirm === 'always') confirm = 'always';
  else if (entry.confirm !== undefined) ignored('confirm', 'only "always" can be laid over a list');

  const lowered = applyLimits(base.limits, entry.limits ?? {}, 'workspace', base.key);
  return {
    problems: [...problems, ...lowered.problems],
    configuration: {
      ...base,
      enabled: base.enabled && entry.enabled !== false,
      // Both lists must let a tool through, see `isAllowed`.
      ...(entry.allow !== undefined && { narrowed: [...(base.narrowed ?? []), entry.allow] }),
      deny: [...base.deny, ...(entry.deny ?? [])],
      expose: entry.expose === 'search' ? 'search' : base.expose,
      confirm,
      trustAnnotations: base.trustAnnotations && entry.trustAnnotations !== false,
      resources: base.resources && entry.resources !== false,
      prompts: base.prompts && entry.prompts !== false,
      limits: lowered.limits,
    },
  };
}
