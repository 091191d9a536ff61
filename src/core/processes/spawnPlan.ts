import { errorMessage } from '../../base/errors.ts';
import { spawnRefused } from '../failures.ts';
import { batchLine } from './batchLine.ts';
import {
  absoluteOnWindows,
  extensionOf,
  findProgram,
  isBareName,
  type ProgramSearch,
} from './programSearch.ts';

export interface SpawnRequest extends ProgramSearch {
  readonly args: readonly string[];
  /** Full path of the `cmd.exe` of Windows. */
  readonly commandProcessor: string;
}

/** What to give to `child_process.spawn`, always with `shell: false`. */
export interface SpawnPlan {
  /** The program that was meant. */
  readonly program: string;
  /** What is started: that program, or what runs it. */
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are joined by spaces as they are; else Node quotes them (which it does on Windows only). */
  readonly windowsVerbatimArguments: boolean;
}

/**
 * Decides how a command is started so that the program sees exactly the arguments given. No shell takes part, except
 * that on Windows only `cmd.exe` can run a batch file. Resolves with `undefined` when there is no such program; throws a
 * `BridgeError` when it cannot be run or an argument cannot be handed to it.
 */
export async function planSpawn(request: SpawnRequest): Promise<SpawnPlan | undefined> {
  const { platform, command, args, commandProcessor } = request;
  const found = await findProgram(request);
  if (found === undefined) {
    if (await isForeignFile(request)) throw spawnRefused(command, notRunnable);
    return undefined;
  }
  const program = found.path;
  const isDirect = platform !== 'win32' || /^\.(exe|com)$/.test(extensionOf(program));
  if (isDirect) return { program, file: program, args, windowsVerbatimArguments: false };
  try {
    const line = batchLine(program, args);
    return {
      program,
      file: commandProcessor,
      // /d: no AutoRun; /e:on: our percent signs need it; /v:off: an exclamation mark has no meaning; /s: only the outer quotes go.
      args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
      windowsVerbatimArguments: true,
    };
  } catch (error: unknown) {
    throw spawnRefused(command, errorMessage(error));
  }
}

const notRunnable =
  'Windows does not run files of this kind. Write the program that runs it into "command" and the file into "args"';

/** Whether the command is the path of a file that exists, but is none that Windows can run. */
async function isForeignFile({ platform, command, cwd, kindOf }: SpawnRequest): Promise<boolean> {
  if (platform !== 'win32' || isBareName(platform, command)) return false;
  return (await kindOf(absoluteOnWindows(command.replaceAll('/', '\\'), cwd))) !== 'missing';
}
