import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 250;
/** A lock folder without an owner file for this long was left by a process that died while taking it. */
const ownerlessMs = 5_000;

/**
 * Runs `work` while holding a lock that other processes respect: the folder `path`, with the owner's process id in it.
 * A lock whose owner no longer runs is taken over. Rejects when the lock is not free within `waitMs`.
 */
export async function withFolderLock<T>(
  path: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + waitMs;
  while (!(await take(path))) {
    if (await isAbandoned(path)) {
      await rm(path, { recursive: true, force: true });
      continue;
    }
    if (Date.now() > deadline) {
      throw new Error(`Another run still holds ${path}. Wait for it, or delete that folder.`);
    }
    await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(join(path, 'owner'), String(process.pid));
  return true;
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(join(path, 'owner'), 'utf8'));
    if (owner > 0) return !isRunning(owner);
  } catch {
    // No owner yet: judged by age below.
  }
  try {
    return Date.now() - (await stat(path)).mtimeMs > ownerlessMs;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
