import type { FailureCode } from '../core/failures.ts';
import { RestartPolicy } from '../core/servers/restartPolicy.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';

/** Milliseconds after which a call may start a server again that failed for a reason that lasts. */
const lastingDelay = 5000;

/** Failures that may be gone with the next start. */
const transient = new Set<FailureCode>([
  'connectionLost',
  'handshakeFailed',
  'noResources',
  'timedOut',
  'unreachable',
]);

/** When a server that failed is started again, and the timer for it. */
export class RestartSchedule {
  readonly #begin: () => void;
  readonly #policy = new RestartPolicy();
  #at = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(begin: () => void) {
    this.#begin = begin;
  }

  /** Milliseconds until a start may be tried; not above 0: now. */
  get wait(): number {
    return this.#at - performance.now();
  }

  /** Whether the server will be started without anybody doing anything. */
  get isAutomatic(): boolean {
    return this.#timer !== undefined;
  }

  /**
   * Plans the next start after a session of `lasted` milliseconds failed. Gives the milliseconds until it, if
   * it comes by itself; `Infinity` when nothing but the person's order starts the server again.
   */
  plan(
    code: FailureCode,
    lasted: number,
    { start, enabled, launch }: ServerConfiguration,
  ): number | undefined {
    this.clear();
    const now = performance.now();
    this.#at = now + lastingDelay;
    if (!transient.has(code)) return undefined;
    const isRemote = launch.type !== 'stdio';
    const { delay, isAutomatic } = this.#policy.failed(now, lasted, isRemote);
    // To ask a remote server costs little, and a call is a good reason to.
    this.#at = now + (isRemote ? Math.min(delay, lastingDelay) : delay);
    if (delay === Infinity) return delay;
    if (!isAutomatic || start !== 'auto' || !enabled) return undefined;
    this.#timer = setTimeout(() => this.#begin(), delay);
    return delay;
  }

  /** No start is planned any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = 0;
  }

  /** Forgets the failures there were: the person has started the server. */
  reset(): void {
    this.#policy.reset();
  }
}
