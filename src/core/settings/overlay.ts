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

/** What a narrower scope cannot touch at all. */
const fixed = [
  [
    ['args', 'cwd', 'env', 'envFile', 'headers', 'auth', 'timeouts'],
    'it would change how the server runs',
  ],
  [['protocol'], 'it would change how the server is talked to'],
  [['start', 'idleStop'], 'it would change when the server runs'],
  [['prefix', 'rename'], 'it would change the names of the tools'],
  [['priority', 'pin'], 'it would decide which tools keep their place'],
] as const;

/** What it can switch off but not on. */
const onlyOff = [
  ['enabled', 'the server is switched off'],
  ['resources', 'they are switched off'],
  ['prompts', 'they are switched off'],
  ['elicitation', 'it is switched off'],
  ['sampling', 'it is switched off'],
  ['trustAnnotations', 'it would ask less often'],
] as const;

/** What it can set to its stricter value only. */
const onlyStricter = [
  ['newTools', 'ask', 'new tools would be offered unseen'],
  ['changedTools', 'block', 'changed tools would be offered unseen'],
] as const;

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
  for (const [names, why] of fixed) {
    for (const name of names) if (entry[name] !== undefined) ignored(name, why);
  }
  for (const [name, why] of onlyOff) {
    if (entry[name] === true && !base[name]) ignored(name, why);
  }

  for (const [name, strict, why] of onlyStricter) {
    if (entry[name] !== undefined && entry[name] !== strict && base[name] === strict)
      ignored(name, why);
  }

  const confirm = stricter(base.confirm, entry.confirm, (why) => ignored('confirm', why));
  const lowered = applyLimits(base.limits, entry.limits ?? {}, 'workspace', base.key);
  return {
    problems: [...problems, ...lowered.problems],
    configuration: {
      ...base,
      ...switchedOff(base, entry),
      // Both lists must let a tool through, see `isAllowed`.
      ...(entry.allow !== undefined && { narrowed: [...(base.narrowed ?? []), entry.allow] }),
      deny: [...base.deny, ...(entry.deny ?? [])],
      ...madeStricter(entry),
      expose: entry.expose === 'search' ? 'search' : base.expose,
      confirm,
      limits: lowered.limits,
    },
  };
}

function stricter(
  base: Confirm,
  wanted: Entry['confirm'],
  ignored: (why: string) => void,
): Confirm {
  if (wanted === undefined || wanted === 'always') return wanted ?? base;
  if (typeof wanted !== 'string' || typeof base !== 'string') {
    ignored('only "always" can be laid over a list');
    return base;
  }
  if (strictness[wanted] >= strictness[base]) return wanted;
  ignored('it would ask less often');
  return base;
}

function switchedOff(
  base: ServerConfiguration,
  entry: Entry,
): Pick<ServerConfiguration, (typeof onlyOff)[number][0]> {
  const members = onlyOff.map(([name]) => [name, base[name] && entry[name] !== false]);
  return Object.fromEntries(members) as Pick<ServerConfiguration, (typeof onlyOff)[number][0]>;
}

function madeStricter(
  entry: Entry,
): Partial<Pick<ServerConfiguration, 'newTools' | 'changedTools'>> {
  return {
    ...(entry.newTools === 'ask' && { newTools: 'ask' }),
    ...(entry.changedTools === 'block' && { changedTools: 'block' }),
  };
}
