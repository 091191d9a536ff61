import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { unanswered } from './unanswered.ts';
import { normalizeError, normalizeHandshake, shellOf } from './lenientMessages.ts';

/** Milliseconds a cancelled request keeps its connection for the sake of telling the server. */
const cancelGrace = 1000;

interface Pending {
  readonly id: string | number;
  readonly method: string;
  readonly abort: AbortController;
}

/**
 * Stands between the SDK's client and a transport. One odd answer costs itself, not the session or the other
 * members of a list: results reach us unchecked (`rawResult`). A stream that ends without the answer
 * ends the request at once, and cancelling a request frees its connection.
 */
export class TolerantTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #inner: Transport;
  readonly #pending = new Map<string, Pending>();
  #lastError: Error | undefined;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => {
      this.#lastError = error;
      this.onerror?.(error);
    };
    this.#inner.onmessage = (message, extra) => this.#receive(message, extra);
    await this.#inner.start();
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if ('method' in message && 'id' in message) {
      const method = wireMethod(message.method);
      await this.#sendRequest({ id: message.id, method }, { ...message, method }, options);
      return;
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#release(String(cancelled));
    await this.#inner.send(message, options);
  }

  async #sendRequest(
    { id, method }: Omit<Pending, 'abort'>,
    message: JSONRPCMessage,
    { requestSignal, onRequestStreamEnd, ...options }: TransportSendOptions,
  ): Promise<void> {
    const abort = new AbortController();
    const pending: Pending = { id, method, abort };
    this.#pending.set(String(id), pending);
    try {
      await this.#inner.send(message, {
        ...options,
        requestSignal: requestSignal
          ? AbortSignal.any([requestSignal, abort.signal])
          : abort.signal,
        onRequestStreamEnd: () => {
          onRequestStreamEnd?.();
          this.#streamEnded(pending);
        },
      });
    } catch (error: unknown) {
      this.#pending.delete(String(id));
      throw error;
    }
  }

  /** The stream of a subscription may end; that of any other request owes an answer. */
  #streamEnded({ id, method }: Pending): void {
    if (!this.#pending.delete(String(id)) || method === 'subscriptions/listen') return;
    const why = this.#lastError === undefined ? '' : ` (${this.#lastError.message.slice(0, 300)})`;
    this.onmessage?.(unanswered(id, `the connection ended before the answer came${why}`));
  }

  /** In the older protocol nothing else ends the HTTP request of a call that was cancelled. */
  #release(id: string): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending !== undefined) setTimeout(() => pending.abort.abort(), cancelGrace).unref();
  }

  #receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const answer: unknown = message;
    if (!('method' in message) && 'id' in message && isJsonObject(answer)) {
      // Some servers give a number back as a text.
      const key = String(message.id);
      const pending = this.#pending.get(key);
      this.#pending.delete(key);
      if (pending !== undefined) tolerate(answer, pending.method);
    }
    this.onmessage?.(message, extra);
  }
}

/** Before the name of a method that the SDK does not let out in every revision, though an extension has it there. */
const ownPrefix = 'mcp-bridge/';

/** The name under which the client sends a method of the extension for tasks. */
export function ownMethod(method: string): string {
  return ownPrefix + method;
}

function wireMethod(method: string): string {
  return method.startsWith(ownPrefix) ? method.slice(ownPrefix.length) : method;
}

/** Changes an answer in place, so that the SDK lets it pass. */
function tolerate(answer: JsonObject, method: string): void {
  if ('error' in answer) answer['error'] = normalizeError(answer['error']);
  else if (method === 'initialize') answer['result'] = normalizeHandshake(answer['result']);
  else answer['result'] = shellOf(method, answer['result']);
}

function cancelledId(message: JSONRPCMessage): string | number | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id: unknown = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
