import { readFile, stat } from 'node:fs/promises';
import process from 'node:process';
import { parseEnv } from 'node:util';
import { errorMessage } from '../base/errors.ts';
import { BridgeError } from '../core/failures.ts';
import type { StdioLaunch } from '../core/settings/serverConfiguration.ts';

/** What every process needs and no secret hides in; servers get nothing else of the editor's environment unasked. */
const inheritedOnWindows: ReadonlySet<string> = new Set([
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]);
const inheritedElsewhere: ReadonlySet<string> = new Set([
  'DISPLAY',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'WAYLAND_DISPLAY',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
]);

/** Shorter values of a file are no secrets, and masking them would blank out ordinary words. */
const minSecret = 6;

export const maxEnvFileBytes = 65_536;

/**
 * The environment of a local server: safe defaults, then `envFile`, then `env`, where `null` removes a
 * variable. `onFile` is given the values of the file: they may be secrets. Throws a `BridgeError` when the file cannot be read.
 */
export async function childEnvironment(
  { env, envFile }: StdioLaunch,
  host: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  onFile: (values: readonly string[]) => void = () => undefined,
): Promise<Record<string, string>> {
  const isWindows = platform === 'win32';
  const result = new Map(Object.entries(inheritedEnvironment(host, platform)));
  const file = envFile === undefined ? {} : await readEnvFile(envFile);
  onFile(Object.values(file).filter((value = '') => value.length >= minSecret) as string[]);
  for (const [name, value] of [...Object.entries(file), ...Object.entries(env)]) {
    removeVariable(result, name, isWindows);
    if (value !== null && value !== undefined) result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** What of the editor's environment every process of ours gets. */
export function inheritedEnvironment(
  host: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  const inherited = isWindows ? inheritedOnWindows : inheritedElsewhere;
  const result = new Map<string, string>();
  for (const [name, value] of Object.entries(host)) {
    const isWanted = inherited.has(isWindows ? name.toUpperCase() : name);
    // Exported shell functions look like variables and are code.
    if (isWanted && value !== undefined && !value.startsWith('()')) result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** The value of a variable; on Windows its name may be written in any case. */
export function variableOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  if (process.platform !== 'win32') return env[name];
  return Object.entries(env).find(([other]) => other.toUpperCase() === name)?.[1];
}

/** Windows does not tell `Path` from `PATH`; two spellings must not both reach the process. */
function removeVariable(variables: Map<string, string>, name: string, isWindows: boolean): void {
  variables.delete(name);
  if (!isWindows) return;
  for (const other of [...variables.keys()]) {
    if (other.toUpperCase() === name.toUpperCase()) variables.delete(other);
  }
}

async function readEnvFile(path: string): Promise<NodeJS.Dict<string>> {
  try {
    const status = await stat(path);
    if (!status.isFile()) throw new Error('it is not a file');
    if (status.size > maxEnvFileBytes)
      throw new Error(`it is larger than ${maxEnvFileBytes} bytes`);
    return parseEnv((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error: unknown) {
    throw new BridgeError(
      'spawnFailed',
      `The "envFile" ${path} could not be read: ${errorMessage(error)}.`,
      { cause: error },
    );
  }
}
