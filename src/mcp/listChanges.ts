import { setTimeout as delay } from 'node:timers/promises';
import {
  ProtocolError,
  type Client,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import { httpStatus } from './httpFailure.ts';
import { ReopenBackoff } from './reopenBackoff.ts';
import type { ListName } from './sessionLists.ts';

/** Milliseconds a server has to confirm a subscription. */
const ackTimeout = 10_000;
/** JSON-RPC error codes "Method not found" and "Invalid params": asking again will not help. */
const lastingRefusals = new Set([-32_601, -32_602]);

const notifications = {
  tools: 'notifications/tools/list_changed',
  resources: 'notifications/resources/list_changed',
  prompts: 'notifications/prompts/list_changed',
} as const satisfies Record<ListName, string>;

const listNames = ['tools', 'resources', 'prompts'] as const;

/**
 * What a server tells of changes of its lists. Revision 2026-07-28 wants a subscription for that, which
 * is opened again when it drops; the older ones just tell.
 */
export class ListChanges implements Disposable {
  readonly #client: Client;
  readonly #log: Logger;
  readonly #backoff: Pick<ReopenBackoff, 'next'>;
  readonly #abort = new AbortController();
  readonly #didChange: Emitter<ListName>;
  readonly #didFail: Emitter<void>;
  readonly #didEnd: Emitter<string>;
  /** The list has changed, or may have while nobody listened. */
  readonly onDidChangeList: Emitter<ListName>['event'];
  /** The way changes are told could not be opened: the server may be gone. */
  readonly onDidFail: Emitter<void>['event'];
  /** Changes are told no longer, and why. */
  readonly onDidEnd: Emitter<string>['event'];

  constructor(
    client: Client,
    log: Logger,
    backoff: Pick<ReopenBackoff, 'next'> = new ReopenBackoff(),
  ) {
    this.#client = client;
    this.#log = log;
    this.#backoff = backoff;
    const onError = (error: unknown): void => log.error(errorMessage(error));
    this.#didChange = new Emitter(onError);
    this.#didFail = new Emitter(onError);
    this.#didEnd = new Emitter(onError);
    this.onDidChangeList = this.#didChange.event;
    this.onDidFail = this.#didFail.event;
    this.onDidEnd = this.#didEnd.event;
    for (const list of listNames) {
      client.setNotificationHandler(notifications[list], () => this.#didChange.fire(list));
    }
  }

  /** Subscribes where the protocol wants it. Called once, when the client is connected. */
  start(): void {
    if (this.#client.getProtocolEra() !== 'modern') return;
    const { filter, lists } = subscriptionTo(this.#client.getServerCapabilities());
    if (lists.length > 0) void this.#keepSubscription(filter, lists);
  }

  /** Nobody listened for a while: changes may have been missed. */
  reopened(lists: readonly ListName[] = listNames): void {
    for (const list of lists) this.#didChange.fire(list);
  }

  failed(): void {
    this.#didFail.fire();
  }

  ended(reason: string): void {
    this.#didEnd.fire(reason);
  }

  dispose(): void {
    this.#abort.abort();
    for (const emitter of [this.#didChange, this.#didFail, this.#didEnd]) emitter.dispose();
  }

  /** Never rejects. */
  async #keepSubscription(filter: SubscriptionFilter, lists: readonly ListName[]): Promise<void> {
    const { signal } = this.#abort;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const end = await this.#hold(filter, isFirst ? [] : lists);
      if (signal.aborted) return;
      if (end.isRefused) {
        this.#log.info(`the server refuses to tell of changes of its lists: ${end.reason}`);
        return;
      }
      const wait = this.#backoff.next(end.lasted);
      if (wait === undefined) return this.ended(end.reason);
      this.#log.debug(`subscription: ${end.reason}; opened again in ${wait} ms`);
      // Rejects only when we are disposed of.
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Opens the subscription and waits for its end. `missed`: lists that may have changed before it was open. */
  async #hold(
    notificationsWanted: SubscriptionFilter,
    missed: readonly ListName[],
  ): Promise<{ lasted: number; reason: string; isRefused?: boolean }> {
    const { signal } = this.#abort;
    try {
      const options = { timeout: ackTimeout, signal };
      const subscription = await this.#client.listen(notificationsWanted, options);
      const openedAt = performance.now();
      this.reopened(missed);
      const cause = await subscription.closed;
      const reason = cause === 'graceful' ? 'the server ended it' : 'the connection was cut';
      return { lasted: performance.now() - openedAt, reason };
    } catch (error: unknown) {
      const isRefused = isRefusal(error);
      if (!isRefused && !signal.aborted) this.failed();
      return { lasted: 0, reason: errorMessage(error).slice(0, 300), isRefused };
    }
  }
}

/** All that the server says it tells. */
function subscriptionTo(capabilities: ServerCapabilities | undefined) {
  const lists = listNames.filter((list) => capabilities?.[list]?.listChanged === true);
  const filter = Object.fromEntries(lists.map((list) => [`${list}ListChanged`, true]));
  return { filter: filter as SubscriptionFilter, lists };
}

function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError) return lastingRefusals.has(error.code);
  const status = httpStatus(error) ?? 0;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
