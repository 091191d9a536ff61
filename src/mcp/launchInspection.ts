import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { relative, isAbsolute } from 'node:path';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { LaunchInspection } from '../core/trust/launchFacts.ts';
import type { ServerLaunch } from '../core/settings/serverConfiguration.ts';
import { maxEnvFileBytes } from './environment.ts';
import { locateProgram } from './serverProcess.ts';

/**
 * Looks up what a launch from a workspace's settings would run and read, without doing either. `folders`: paths of the workspace; an
 * `envFile` must lie in one of them, links resolved. Gives a sentence when the launch cannot be allowed.
 */
export async function inspectLaunch(
  launch: ServerLaunch,
  folders: readonly string[],
  log: Logger,
): Promise<LaunchInspection | string> {
  if (launch.type !== 'stdio') return {};
  const { envFile, cwd = homedir() } = launch;
  const hash = envFile === undefined ? undefined : await hashWithin(envFile, folders);
  if (hash !== undefined && 'problem' in hash) return hash.problem;
  const program = await locateProgram(launch, cwd, log);
  return {
    ...(program !== undefined && { program: await realpath(program).catch(() => program) }),
    ...(hash !== undefined && { envFile: hash.hash }),
  };
}

async function hashWithin(
  file: string,
  folders: readonly string[],
): Promise<{ hash: string } | { problem: string }> {
  try {
    const path = await realpath(file);
    const roots = await Promise.all(folders.map((folder) => realpath(folder)));
    if (!roots.some((root) => isWithin(path, root))) {
      const problem = `Its "envFile" ${file} lies outside the workspace, which settings of a workspace may not read. Copy what is needed into the workspace, or move the entry into your user settings.`;
      return { problem };
    }
    const status = await stat(path);
    if (!status.isFile() || status.size > maxEnvFileBytes) {
      return { problem: `Its "envFile" ${file} is no file of at most ${maxEnvFileBytes} bytes.` };
    }
    return {
      hash: createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    };
  } catch (error: unknown) {
    return { problem: `Its "envFile" ${file} cannot be read: ${errorMessage(error)}.` };
  }
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
