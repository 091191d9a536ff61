import { spawnDelayed, spawnRefused, type BridgeError } from '../failures.ts';

const reasons: ReadonlyMap<string, string> = new Map([
  [
    'EACCES',
    'it may not be executed (EACCES). Check that it is a file, not a directory, and make it executable (chmod +x)',
  ],
  ['EPERM', 'the system does not permit it (EPERM)'],
  [
    'ENOENT',
    'the interpreter that its first line names does not exist (ENOENT). Install it, or correct that line',
  ],
  [
    'ENOEXEC',
    'it is no program for this machine (ENOEXEC). A script needs a first line such as "#!/usr/bin/env node"',
  ],
  ['E2BIG', 'its arguments and environment are larger than the system allows (E2BIG)'],
  ['ENAMETOOLONG', 'its command line is longer than the system allows (ENAMETOOLONG)'],
]);

const lacks: ReadonlyMap<string, readonly [lack: string, advice: string]> = new Map([
  [
    'EAGAIN',
    [
      'the system allows no further process (EAGAIN)',
      'End other programs or raise the limit (ulimit -u)',
    ],
  ],
  ['ENOMEM', ['the system is out of memory (ENOMEM)', 'End other programs']],
  [
    'EMFILE',
    [
      'the editor has too many files open (EMFILE)',
      'Stop other servers or raise the limit (ulimit -n)',
    ],
  ],
  ['ENFILE', ['the system has too many files open (ENFILE)', 'End other programs']],
  ['ETXTBSY', ['its file is just being written (ETXTBSY)', 'Wait until that is done']],
]);

/** Why a program that exists could not be started: the sentence for an error of the system. */
export function spawnFailure(
  command: string,
  { code = '', message }: { readonly code?: string | undefined; readonly message: string },
): BridgeError {
  const lack = lacks.get(code);
  if (lack !== undefined) return spawnDelayed(command, ...lack);
  return spawnRefused(command, reasons.get(code) ?? message);
}
