import picomatch from 'picomatch';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';

const options = { bash: true, dot: true, nonegate: true, windows: false, flags: 's' };

/** Gives a case-sensitive test for a glob on a whole tool name; `*` also matches dots, slashes and line breaks. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const matches = picomatch(pattern, options);
  // It takes a second argument, which an index must not become.
  return (name) => matches(name);
}

/** A server may give its tool a name like `*`; that makes no pattern of the person an exact name. */
export function isGlob(pattern: string): boolean {
  return /[*?[\]{}()!+@|\\]/.test(pattern);
}

type FilterVerdict =
  { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string };

export interface ToolFilter {
  /** Judges a tool by the server's own name of it. */
  check(name: string): FilterVerdict;
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
  };
}
