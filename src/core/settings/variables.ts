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
  /** Values a person gave, of `${input:id}` and `${secret:id}`. */
  readonly given?: (kind: 'input' | 'secret', id: string) => string | undefined;
}

/** Names that mean something to us; any other is that of an environment variable, as in a `.mcp.json`. */
const ownNames: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'userHome',
  'pathSeparator',
  'env',
  'input',
  'secret',
]);

/** The lookup of the variables that settings know. */
export function settingsVariables(surroundings: Surroundings): VariableLookup {
  const { folders, folder, environment, userHome, given } = surroundings;
  const pathOf = (name: string | undefined): string | undefined =>
    name === undefined
      ? (folder ?? folders[0])?.path
      : folders.find((one) => one.name === name)?.path;
  const variable = (name: string): string | undefined =>
    Object.hasOwn(environment, name) ? environment[name] : undefined;
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
      case 'pathSeparator':
        return userHome.includes('\\') ? '\\' : '/';
      case 'env':
        return argument === undefined ? undefined : variable(argument);
      case 'input':
      case 'secret':
        return argument === undefined ? undefined : given?.(name, argument);
      default:
        return argument === undefined ? variable(name) : undefined;
    }
  };
}

/** Most characters a text may grow to by expansion. */
const maxLength = 131_072;

/** A `${input:id}` or `${secret:id}`. */
export interface GivenVariable {
  readonly kind: 'input' | 'secret';
  readonly id: string;
}

/** The variable of that text if a person gives its value. */
export function givenVariable(variable: string): GivenVariable | undefined {
  const [, kind, id] = /^\$\{(input|secret):([^{}$]+)\}$/.exec(variable) ?? [];
  return id === undefined ? undefined : { kind: kind as GivenVariable['kind'], id };
}

/**
 * Replaces `${name}`, `${name:argument}` and `${env:NAME:-default}` in one pass: what a variable expands to is never expanded again,
 * only the text of a default is. Collects the variables that have no value, and every other `${…}`: none is ever sent anywhere as it
 * stands. A `$` without a brace stays as it is.
 */
export function expandVariables(
  text: string,
  lookup: VariableLookup,
): { text: string; unresolved: string[] } {
  const unresolved: string[] = [];
  const expanded = expandIn(text, lookup, unresolved);
  if (expanded.length > maxLength) return { text: '', unresolved: [text.slice(0, 100)] };
  return { text: expanded, unresolved };
}

function expandIn(text: string, lookup: VariableLookup, unresolved: string[]): string {
  const parts: string[] = [];
  let done = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', done)) {
    const end = closingBrace(text, start + 2);
    parts.push(text.slice(done, start), valueOf(text.slice(start, end), lookup, unresolved));
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** Where the text goes on after the brace that closes the one before `from`; the end of the text if none does. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
    if (text.startsWith('${', index)) depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

/** Longest variable, its default included. */
const maxVariableLength = 4096;

function valueOf(whole: string, lookup: VariableLookup, unresolved: string[]): string {
  const inner = whole.endsWith('}') ? whole.slice(2, -1) : '';
  const parsed = inner === '/' ? ['', 'pathSeparator'] : /^([A-Za-z_]\w*)(?::(.*))?$/s.exec(inner);
  const [, name, argument] = parsed ?? [];
  if (name === undefined || whole.length > maxVariableLength) {
    unresolved.push(whole.slice(0, 100));
    return whole;
  }
  const [subject, fallback] = splitDefault(name, argument);
  const value = lookup(name, subject);
  // As in a shell, `:-` also replaces an empty value.
  if (value !== undefined && (value !== '' || fallback === undefined)) return value;
  if (fallback !== undefined) return expandIn(fallback, lookup, unresolved);
  unresolved.push(whole.slice(0, 100));
  return whole;
}

function splitDefault(
  name: string,
  argument: string | undefined,
): [string | undefined, string | undefined] {
  if (argument === undefined) return [undefined, undefined];
  // `${NAME:-default}` of a `.mcp.json`.
  if (!ownNames.has(name) && argument.startsWith('-')) return [undefined, argument.slice(1)];
  const at = name === 'env' ? argument.indexOf(':-') : -1;
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 2)];
}
