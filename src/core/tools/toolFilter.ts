import picomatch from 'picomatch';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';

/** Gives a case-sensitive test for a glob on a whole tool name; `*` also matches dots, slashes and line breaks. */
export function globMatcher(pattern: string): (name: string) => boolean {
  return picomatch(pattern, { bash: true, dot: true, nonegate: true, windows: false, flags: 's' });
}

type FilterVerdict =
  { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string };

export interface ToolFilter {
  /** Judges a tool by the server's own name of it. */
  check(name: string): FilterVerdict;
  /** The patterns of `allow` and `deny` that match none of the names. */
  unmatched(names: readonly string[]): string[];
}

function compile(patterns: readonly string[]) {
  return patterns.map((pattern) => ({ pattern, matches: globMatcher(pattern) }));
}

/** `allow` first (default: all), then `deny`, which wins. */
export function createToolFilter({
  allow,
  narrowed = [],
  deny,
}: Pick<ServerConfiguration, 'allow' | 'narrowed' | 'deny'>): ToolFilter {
  const allowed = [allow, ...narrowed].map(compile);
  const denied = compile(deny);
  return {
    check(name) {
      const denial = denied.find(({ matches }) => matches(name));
      if (denial !== undefined) {
        return { isAllowed: false, reason: `denied by the pattern "${denial.pattern}"` };
      }
      if (!allowed.every((patterns) => patterns.some(({ matches }) => matches(name)))) {
        return { isAllowed: false, reason: 'not in the allow list' };
      }
      return { isAllowed: true };
    },
    unmatched(names) {
      return [...allowed.flat(), ...denied]
        .filter(({ pattern, matches }) => pattern !== '*' && !names.some((name) => matches(name)))
        .map(({ pattern }) => pattern);
    },
  };
}
