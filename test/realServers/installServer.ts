import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../host/editorHost.ts';
import { withFolderLock } from '../host/folderLock.ts';
import { inRepository, pinnedNode } from '../host/repository.ts';
import { runProgram } from '../host/runProgram.ts';
import type { RealServer } from './servers.ts';

/** Where servers are installed and their tool lists are written. */
export function realServersFolder(): string {
  return join(cacheFolder(), 'real-servers');
}

/**
 * Makes sure the pinned version of the package is installed and resolves with the script to run. Takes the one among the
 * dependencies of this repository, else one in the cache, else installs it there, without running install scripts.
 * Rejects, with npm's own last words, when that does not succeed within `timeoutMs`.
 */
export async function installServer(
  server: RealServer,
  timeoutMs: number,
  say: (line: string) => void,
): Promise<string> {
  const own = await findServer(inRepository(), server);
  if (own !== undefined) return own;
  const name = `${server.package.replace('@', '').replace('/', '+')}-${server.version}`;
  const folder = join(realServersFolder(), name);
  await mkdir(realServersFolder(), { recursive: true });
  // The folder appears complete or not at all; entries that share a package, and two runs, wait for each other.
  await withFolderLock(`${folder}.lock`, timeoutMs, async () => {
    if (existsSync(folder)) return;
    say(`Installing ${server.package}@${server.version} …`);
    const building = `${folder}.building`;
    await rm(building, { recursive: true, force: true });
    await npmInstall(server, building, timeoutMs);
    await rename(building, folder);
  });
  const script = await findServer(folder, server);
  if (script === undefined) throw new Error(`${folder} does not hold a program of the package.`);
  return script;
}

async function npmInstall(
  { package: name, version }: RealServer,
  folder: string,
  timeoutMs: number,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [name]: version } }),
  );
  const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline'];
  // npm picks versions by the Node it runs on.
  const path = [dirname(pinnedNode), process.env['PATH'] ?? ''].join(delimiter);
  await runProgram('npm', ['install', ...flags], {
    cwd: folder,
    env: { ...process.env, PATH: path },
    timeoutMs,
  });
}

/** The script of a server among the packages installed in a folder; `undefined` unless the pinned version is. */
export async function findServer(folder: string, server: RealServer): Promise<string | undefined> {
  const home = join(folder, 'node_modules', server.package);
  let manifest: { version?: string; bin?: string | Record<string, string> };
  try {
    manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as typeof manifest;
  } catch {
    return undefined;
  }
  const { version, bin } = manifest;
  if (version !== server.version || bin === undefined) return undefined;
  const programs = typeof bin === 'string' ? { [server.package]: bin } : bin;
  const script = server.bin === undefined ? Object.values(programs)[0] : programs[server.bin];
  return script === undefined ? undefined : join(home, script);
}
