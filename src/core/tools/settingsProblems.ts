import type { Problem } from '../problem.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import { globMatcher } from './toolFilter.ts';
import { cleanName } from './toolName.ts';

type PatternSettings = Pick<
  ServerConfiguration,
  'allow' | 'narrowed' | 'deny' | 'pin' | 'confirm' | 'rename'
>;

/**
 * What the settings of a server say of tools it does not have: patterns of `allow`, `deny`, `pin` and
 * `confirm` that match none of the names, and names in `rename`. Names are the server's own.
 */
export function unmatchedSettings(
  { allow, narrowed = [], deny, pin, confirm, rename }: PatternSettings,
  names: readonly string[],
): Problem[] {
  const confirmed = typeof confirm === 'string' ? [] : confirm.map(([pattern]) => pattern);
  const lists = { allow: [...allow, ...narrowed.flat()], deny, pin, confirm: confirmed };
  const patterns = Object.entries(lists).flatMap(([setting, list]) =>
    [...new Set(list)]
      .filter((pattern) => pattern !== '*' && !names.some(globMatcher(pattern)))
      .map((pattern) => ({
        where: pattern,
        message: `The pattern "${pattern}" in "${setting}" matches none of this server's tools.`,
      })),
  );
  const known = new Set(names);
  const renamed = [...rename.keys()]
    .filter((name) => !known.has(name))
    .map((name) => ({
      where: name,
      message: `"rename" names the tool "${name}", which this server does not have.`,
    }));
  return [...patterns, ...renamed];
}

/** Renames that did not give the name asked for, with the reason. `names` holds the exposed name of each tool. */
export function renameProblems(
  rename: ReadonlyMap<string, string>,
  prefix: string,
  names: ReadonlyMap<string, string>,
): Problem[] {
  const plain = (name: string): string => (prefix === '' ? name : `${prefix}__${name}`);
  const owners = Map.groupBy(names.keys(), (tool) => cleanName(rename.get(tool) ?? tool));
  return [...rename].flatMap(([tool, wanted]) => {
    const exposed = names.get(tool);
    if (exposed === undefined || exposed === plain(wanted)) return [];
    const rival = owners.get(cleanName(wanted))?.find((other) => other !== tool);
    const why =
      rival === undefined
        ? 'the name asked for has characters that are not allowed, is too long or is taken'
        : `the tool "${rival}" has that name too`;
    const message = `"rename" of "${tool}" to "${wanted}" gives the name "${exposed}", because ${why}.`;
    return [{ where: tool, message }];
  });
}
