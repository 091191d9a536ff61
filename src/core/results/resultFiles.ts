/** Port: files the agent can open with its own tools, for texts that are too long for it. Bounded by whoever keeps them. */
export interface ResultFiles {
  /**
   * Keeps a text under a new name made of the given one (`[A-Za-z0-9_-]`), and gives the path that `read_file` takes;
   * `undefined` if it cannot be kept. Never rejects.
   */
  write(name: string, text: string): Promise<string | undefined>;
}

/** A file as the editor describes it; `mtime` in milliseconds since 1970. */
export interface KeptFile {
  readonly mtime: number;
  readonly size: number;
}

const maxFiles = 50;
const maxBytes = 200 * 1024 * 1024;
const maxAge = 24 * 60 * 60 * 1000;

/** The files that must go so that one more of so many bytes has room: those older than a day, and the oldest of the rest. */
export function filesToRemove<File extends KeptFile>(
  files: readonly File[],
  bytes: number,
  now: number,
): File[] {
  let count = 1;
  let total = bytes;
  return files
    .toSorted((left, right) => right.mtime - left.mtime)
    .filter(({ mtime, size }) => {
      count += 1;
      total += size;
      return count > maxFiles || total > maxBytes || now - mtime > maxAge;
    });
}
