/** What stands at a path: a program, something that cannot be run, or nothing. */
export type FileKind = 'program' | 'unusable' | 'missing';

export interface ProgramSearch {
  /** As `process.platform` names it. */
  readonly platform: string;
  /** As written in the settings: a name, or a path that may be relative to `cwd`. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** `PATH` and, on Windows, `PATHEXT` of the process to be. */
  readonly path: string | undefined;
  readonly pathext: string | undefined;
  /** Asked for absolute paths. On Windows whatever is a file counts as a program. */
  readonly kindOf: (path: string) => Promise<FileKind>;
}

export interface FoundProgram {
  readonly path: string;
  readonly kind: Exclude<FileKind, 'missing'>;
}

const defaultExtensions = '.COM;.EXE;.BAT;.CMD';
/** What Windows runs even if `PATHEXT` does not name it. */
const runnable = new Set(['.com', '.exe', '.bat', '.cmd']);

/**
 * Finds the program a command stands for. A bare name is looked for in `PATH` only, never in the working directory
 * (which may hold a foreign `npx`): entries that are empty or relative are passed over. The first program wins; else the
 * first thing that cannot be run, so that the system can say why.
 */
export async function findProgram(search: ProgramSearch): Promise<FoundProgram | undefined> {
  let unusable: FoundProgram | undefined;
  for (const path of candidates(search)) {
    const kind = await search.kindOf(path);
    if (kind === 'program') return { path, kind };
    if (kind === 'unusable') unusable ??= { path, kind };
  }
  return unusable;
}

/** Whether the command is looked for in `PATH`: it holds no directory. */
export function isBareName(platform: string, command: string): boolean {
  return platform === 'win32' ? !/[\\/:]/.test(command) : !command.includes('/');
}

function candidates(search: ProgramSearch): string[] {
  const { platform, command, cwd } = search;
  if (command === '') return [];
  if (platform !== 'win32') {
    if (!isBareName(platform, command)) {
      return [command.startsWith('/') ? command : `${trimEnd(cwd)}/${command}`];
    }
    return entries(search.path, ':')
      .filter((entry) => entry.startsWith('/'))
      .map((entry) => `${trimEnd(entry)}/${command}`);
  }
  const names = namesOnWindows(command.replaceAll('/', '\\'), search.pathext);
  if (!isBareName(platform, command)) return names.map((name) => absoluteOnWindows(name, cwd));
  return entries(search.path, ';')
    .map((entry) => entry.replaceAll('"', '').replaceAll('/', '\\'))
    .filter(isAbsoluteOnWindows)
    .flatMap((entry) => names.map((name) => `${trimEnd(entry)}\\${name}`));
}

/** Beside `npx.cmd` often stands an `npx` for other systems: a name without an extension never is a program. */
function namesOnWindows(name: string, pathext: string | undefined): string[] {
  const listed = extensionsIn(pathext ?? '');
  const known = listed.length > 0 ? listed : extensionsIn(defaultExtensions);
  const own = extensionOf(name);
  const isComplete = runnable.has(own) || known.includes(own);
  return [...(isComplete ? [name] : []), ...known.map((extension) => name + extension)];
}

function extensionsIn(pathext: string): string[] {
  return entries(pathext, ';')
    .map((extension) => extension.trim().toLowerCase())
    .filter((extension) => /^\.[^\\/]+$/.test(extension));
}

/** With its dot, in lower case; empty if there is none. */
export function extensionOf(path: string): string {
  return /\.[^.\\/]+$/.exec(path)?.[0].toLowerCase() ?? '';
}

/** Windows knows paths relative to a directory, to the drive (`\x`) and to the directory of a drive (`C:x`). */
export function absoluteOnWindows(path: string, cwd: string): string {
  if (isAbsoluteOnWindows(path) || /^[A-Za-z]:/.test(path)) return path;
  const base = cwd.replaceAll('/', '\\');
  if (path.startsWith('\\')) return `${/^[A-Za-z]:/.exec(base)?.[0] ?? ''}${path}`;
  return `${trimEnd(base)}\\${path.replace(/^(\.\\)+/, '')}`;
}

function isAbsoluteOnWindows(path: string): boolean {
  return /^([A-Za-z]:)?\\/.test(path) && !/^\\[^\\]/.test(path);
}

function entries(list: string | undefined, separator: string): string[] {
  return (list ?? '').split(separator).filter((entry) => entry !== '');
}

function trimEnd(directory: string): string {
  return directory.replace(/[\\/]$/, '');
}
