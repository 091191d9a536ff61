import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds a condition may take to come true on a busy machine. */
const patience = 10_000;

/**
 * Asks again and again until the probe gives something other than `undefined` and `false`, and resolves with it.
 * Rejects, with what was waited for, when that takes longer than `timeout` milliseconds.
 */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  timeout: number = patience,
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`);
    await pause(10);
  }
}
