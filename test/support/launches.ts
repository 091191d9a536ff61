import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { StdioLaunch } from '../../src/core/settings/serverConfiguration.ts';
import type { ProcessMark } from './processes.ts';
import { root } from './sources.ts';

/** Most of the start of a program is the compilation of its TypeScript. */
const compileCache = join(root, 'node_modules/.cache/test-servers');

/** The launch of one of the programs in `test/servers`. */
export function launchOf(
  server: string,
  mark: Pick<ProcessMark, 'env'>,
  ...args: readonly string[]
): StdioLaunch {
  const program = join(root, 'test/servers', `${server}.ts`);
  return {
    type: 'stdio',
    command: process.execPath,
    args: [program, ...args],
    cwd: tmpdir(),
    env: { ...mark.env, NODE_COMPILE_CACHE: compileCache },
  };
}
