/** Longest regular expression taken from a server, in characters. */
export const maxPattern = 1024;

/** Whether the text is a regular expression of JavaScript, with or without the `u` flag. */
export function isPattern(pattern: string): boolean {
  return compiles(pattern, 'u') || compiles(pattern, '');
}

/**
 * Whether the pattern may be given to an agent, which runs it with a backtracking engine on what the
 * model wrote: it is short and valid with the `u` flag, looks at nothing but what it consumes, and repeats no
 * group that itself repeats or chooses. Others take exponential time on some texts.
 */
export function isHarmlessPattern(pattern: string): boolean {
  if (pattern.length > maxPattern || !compiles(pattern, 'u')) return false;
  // What an escape or a class matches does not matter here, only that it is one character.
  const plain = pattern.replace(/\\./gsu, (escape) => (/\\[1-9k]/.test(escape) ? '\\' : 'x'));
  const skeleton = plain.replace(/\[[^\]]*\]/gu, 'x');
  return !/\\|\(\?(?:[=!]|<[=!])/.test(skeleton) && !repeatsRepetition(skeleton);
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Whether a repeated group holds a repetition or a choice; `(…)?` and `(…){1}` repeat nothing. */
function repeatsRepetition(skeleton: string): boolean {
  const open: boolean[] = [];
  let holds = false;
  for (let at = 0; at < skeleton.length; at++) {
    const rest = skeleton.slice(at, at + 12);
    if (rest.startsWith('(')) {
      open.push(holds);
      holds = false;
    } else if (rest.startsWith(')')) {
      if (holds && /^\)(?:[*+]|\{\d*,?\d*\})/.test(rest)) return true;
      holds = (open.pop() ?? false) || holds;
    } else if (/^(?:[*+|]|\{\d)/.test(rest)) {
      holds = true;
    }
  }
  return false;
}
