import { definedOnly } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import type { Entry } from './entrySchema.ts';
import { applyLimits, defaultLimits } from './limits.ts';
import {
  defaultTimeouts,
  type ClientLaunch,
  type Confirm,
  type ConfigurationOrigin,
  type ServerConfiguration,
  type ServerLaunch,
  type SettingsScope,
  type Timeouts,
} from './serverConfiguration.ts';

const defaults = {
  enabled: true,
  start: 'auto',
  idleStop: 0,
  protocol: 'auto',
  allow: ['*'],
  deny: [],
  confirm: 'always',
  trustAnnotations: false,
  expose: 'tools',
  newTools: 'allow',
  changedTools: 'block',
  priority: 0,
  pin: [],
  resources: true,
  prompts: true,
  elicitation: true,
  sampling: true,
} as const;

/**
 * The configuration an entry with a launch of its own stands for, defaults filled in. What a workspace or
 * an extension may not decide for its own servers keeps the default, and is reported.
 */
export function toConfiguration(
  id: string,
  key: string,
  origin: ConfigurationOrigin,
  entry: Entry,
  launch: ServerLaunch | ClientLaunch,
): { configuration: ServerConfiguration; problems: readonly Problem[] } {
  const { scope } = origin;
  const problems: Problem[] = [];
  const isUsers = scope === 'user';
  const confirm = confirmOf(entry);
  if (!isUsers && confirm !== 'always') problems.push(loosened(key, 'confirm', scope));
  if (!isUsers && entry.trustAnnotations === true)
    problems.push(loosened(key, 'trustAnnotations', scope));
  if (!isUsers && entry.changedTools === 'allow')
    problems.push(loosened(key, 'changedTools', scope));
  const { limits, problems: raised } = applyLimits(defaultLimits, entry.limits ?? {}, scope, key);
  return {
    problems: [...problems, ...raised],
    configuration: {
      ...{ id, key, origin, launch },
      ...defaults,
      ...written(entry),
      confirm: isUsers ? confirm : defaults.confirm,
      trustAnnotations: isUsers && entry.trustAnnotations === true,
      changedTools: isUsers ? (entry.changedTools ?? 'block') : 'block',
      rename: new Map(Object.entries(entry.rename ?? {})),
      limits,
      timeouts: timeoutsOf(entry),
    },
  };
}

export function confirmOf({ confirm = defaults.confirm }: Pick<Entry, 'confirm'>): Confirm {
  return typeof confirm === 'object' ? Object.entries(confirm) : confirm;
}

function timeoutsOf({ timeouts: { connect, call, total, tools } = {} }: Entry): Timeouts {
  return {
    ...(tools !== undefined && { tools: toolTimeoutsOf(tools) }),
    connect: connect ?? defaultTimeouts.connect,
    call: call ?? defaultTimeouts.call,
    total: total ?? Math.max(defaultTimeouts.total, call ?? 0),
  };
}

/** `timeouts.tools` as a list that keeps the order written. */
export function toolTimeoutsOf(
  tools: NonNullable<NonNullable<Entry['timeouts']>['tools']>,
): NonNullable<Timeouts['tools']> {
  return Object.entries(tools).map(([pattern, limits]) => [pattern, definedOnly(limits)]);
}

const taken = new Set(['prefix', ...Object.keys(defaults)]);

/** The members of an entry that are taken over as they are. */
function written(entry: Entry): Partial<ServerConfiguration> {
  const members = Object.entries(entry).filter(([name]) => taken.has(name));
  return definedOnly(Object.fromEntries(members));
}

function loosened(key: string, name: string, scope: SettingsScope): Problem {
  const who = scope === 'extension' ? 'an extension' : 'a workspace';
  return {
    where: `${key}.${name}`,
    message: `"${name}" of "${key}" is ignored: ${who} may not decide ${name === 'changedTools' ? 'that tools of its own servers change unseen' : 'that calls of its own servers go unasked'}.`,
  };
}
