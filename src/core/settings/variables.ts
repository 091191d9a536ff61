/**
 * Gives the value of one variable: `name` is what stands before the first colon (`env`), `argument`
 * what follows it (`HOME`), `undefined` if there is no colon. Returns `undefined` for "cannot say".
 */
export type VariableLookup = (name: string, argument: string | undefined) => string | undefined;

/** Most characters a text may grow to by expansion. */
const maxLength = 131_072;

/**
 * Replaces `${name}`, `${name:argument}` and `${env:NAME:-default}` in one pass: what a variable
 * expands to is never expanded again. Collects the variables that have no value; a `$` that does not
 * begin a variable stays as it is.
 */
export function expandVariables(
  text: string,
  lookup: VariableLookup,
): { text: string; unresolved: string[] } {
  const unresolved: string[] = [];
  const expanded = text.replace(
    /\$\{([A-Za-z]\w*)(?::([^}]*))?\}/g,
    (whole, name: string, argument: string | undefined) => {
      const [subject, fallback] = splitDefault(name, argument);
      const value = lookup(name, subject);
      // As in a shell, `:-` also replaces an empty value.
      if (value !== undefined && (value !== '' || fallback === undefined)) return value;
      if (fallback !== undefined) return fallback;
      unresolved.push(whole);
      return whole;
    },
  );
  if (expanded.length > maxLength) return { text: '', unresolved: [text.slice(0, 100)] };
  return { text: expanded, unresolved };
}

function splitDefault(
  name: string,
  argument: string | undefined,
): [string | undefined, string | undefined] {
  const at = name === 'env' ? (argument?.indexOf(':-') ?? -1) : -1;
  if (argument === undefined || at < 0) return [argument, undefined];
  return [argument.slice(0, at), argument.slice(at + 2)];
}
