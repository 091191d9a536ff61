import type { WorkspaceFolder } from './serverConfiguration.ts';

/**
 * Gives the value of one variable: `name` is what stands before the first colon (`env`), `argument`
 * what follows it (`HOME`), `undefined` if there is no colon. Returns `undefined` for "cannot say".
 */
export type VariableLookup = (name: string, argument: string | undefined) => string | undefined;

interface Surroundings {
  /** Open folders whose paths may be used. */
  readonly folders: readonly WorkspaceFolder[];
  /** What `${workspaceFolder}` without a name stands for; default: the first of `folders`. */
  readonly folder: WorkspaceFolder | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
}

/** The lookup of the variables that settings know. */
export function settingsVariables(surroundings: Surroundings): VariableLookup {
  const { folders, folder, environment, userHome } = surroundings;
  const pathOf = (name: string | undefined): string | undefined =>
    name === undefined
      ? (folder ?? folders[0])?.path
      : folders.find((one) => one.name === name)?.path;
  return (name, argument) => {
    switch (name) {
      case 'workspaceFolder':
        return pathOf(argument);
      case 'workspaceFolderBasename':
        return pathOf(argument)
          ?.split(/[/\\]/)
          .findLast((part) => part !== '');
      case 'userHome':
        return argument === undefined ? userHome : undefined;
      case 'env':
        return argument === undefined ? undefined : environment[argument];
      default:
        return undefined;
    }
  };
}

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
