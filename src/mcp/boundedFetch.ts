import { setTimeout as delay } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { isJsonObject } from '../base/json.ts';
import { bodyGuard, eventStreamGuard } from './eventStreamGuard.ts';
import { makeSound } from './lenientMessages.ts';
import { ReopenBudget } from './reopenBudget.ts';
import { whenNotBusy } from './retryAfter.ts';
import type { StreamWatch } from './streamWatch.ts';
import { unanswered, type RequestId } from './unanswered.ts';

/** Largest body that is neither JSON nor an event stream: pages of an error. */
const maxPageBytes = 65_536;

/**
 * The `fetch` of one session: what a server sends is bounded in size, what it does not send does not keep
 * us waiting, and its event stream is not opened again without end.
 */
export class BoundedFetch {
  readonly #budget = new ReopenBudget();
  readonly #connect: FetchLike;
  readonly #patience: number;
  readonly #watch: StreamWatch | undefined;

  /**
   * `connect` sends single requests; `patience`: seconds that requests may wait for a server that is busy, and that it has to take in what is no
   * request and needs no work.
   */
  constructor(connect: FetchLike, patience: number, watch?: StreamWatch) {
    this.#connect = connect;
    this.#patience = patience;
    this.#watch = watch;
  }

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await ((init.method ?? 'GET') === 'GET'
      ? this.#openStream(input, init)
      : this.#send(input, init));
    const sessionId = response.headers.get('mcp-session-id');
    if (sessionId === null || validSessionId.test(sessionId)) return response;
    response.body?.cancel().catch(() => undefined);
    throw new Error('the server gave its session an id that the protocol does not allow');
  };

  async #openStream(input: string | URL, init: RequestInit): Promise<Response> {
    await this.#waitForTurn(init.signal);
    const isResumed = new Headers(init.headers).has('last-event-id');
    try {
      const response = streamResponse(await this.#connect(input, init));
      if (response.ok) this.#watch?.opened(isResumed);
      else this.#watch?.failed(response.status);
      return response;
    } catch (error: unknown) {
      if (init.signal?.aborted !== true) this.#watch?.failed();
      throw error;
    }
  }

  async #send(input: string | URL, init: RequestInit): Promise<Response> {
    const { id, method } = requestOf(init.body);
    const bounded = id === undefined ? { ...init, signal: this.#timeLimit(init.signal) } : init;
    const response = await whenNotBusy(method, this.#patience, init.signal, () =>
      this.#connect(input, bounded),
    );
    return answerResponse(response, id);
  }

  #timeLimit(signal: AbortSignal | null | undefined): AbortSignal {
    const limit = AbortSignal.timeout(this.#patience * 1000);
    return signal ? AbortSignal.any([signal, limit]) : limit;
  }

  async #waitForTurn(signal: AbortSignal | null | undefined): Promise<void> {
    const wait = this.#budget.take(performance.now());
    if (wait > 0) await delay(wait, undefined, { ...(signal && { signal }), ref: false });
  }
}

/** Visible ASCII (MCP specification, "Session Management"), of bearable length. */
const validSessionId = /^[\x21-\x7E]{1,1024}$/;

/** A GET is for an event stream; a server that answers it with anything else has none (it should say 405). */
function streamResponse(response: Response): Response {
  if (!response.ok) return guarded(response, bodyGuard(maxPageBytes));
  if (mediaType(response) === 'text/event-stream') return guarded(response, eventStreamGuard());
  response.body?.cancel().catch(() => undefined);
  return new Response(null, { status: 405 });
}

async function answerResponse(response: Response, id: RequestId | undefined): Promise<Response> {
  if (!response.ok) return guarded(response, bodyGuard(maxPageBytes));
  if (id === undefined) return accepted(response);
  const isEmpty = response.status === 202 || response.body === null;
  if (!isEmpty && mediaType(response) === 'text/event-stream') {
    return guarded(
      response,
      eventStreamGuard((line) => {
        if (/^event: ?endpoint$/.test(line)) throw new Error(legacySse);
      }),
    );
  }
  if (!isEmpty) return soundAnswer(response);
  // A request that is only "accepted" will never be answered.
  response.body?.cancel().catch(() => undefined);
  return Response.json(
    unanswered(id, `the server answered HTTP ${response.status} without a result`),
  );
}

/** What is no request has no answer: what a server says all the same, perhaps without end, is not read. */
function accepted(response: Response): Response {
  response.body?.cancel().catch(() => undefined);
  return new Response(null, { status: 202 });
}

/** Largest answer whose form is looked at here; the larger are left to the SDK. */
const maxChecked = 262_144;

/** An answer whose `result` or `error` has a form that JSON-RPC does not know, made good. */
async function soundAnswer(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await guarded(response, bodyGuard()).text();
  const sound = text.length > maxChecked ? undefined : soundJson(text);
  return new Response(sound ?? text, { status, statusText, headers });
}

function soundJson(text: string): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isJsonObject(answer) && makeSound(answer) ? JSON.stringify(answer) : undefined;
}

/** What the error of a request says when a server of the older HTTP+SSE transport answered it. */
export const legacySse = 'this address speaks the older HTTP+SSE transport';

/** The JSON-RPC request that a body holds; without an id it is none. */
function requestOf(body: unknown): { id?: RequestId; method?: string } {
  if (typeof body !== 'string') return {};
  const message: unknown = JSON.parse(body);
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return {};
  const { id, method } = message;
  return typeof id === 'string' || typeof id === 'number' ? { id, method } : {};
}

function guarded(response: Response, guard: TransformStream<Uint8Array, Uint8Array>): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(guard), { status, statusText, headers });
}

function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
