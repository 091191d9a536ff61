import { setTimeout as delay } from 'node:timers/promises';

/** Seconds a server may make us wait for a request to be made again. */
const longest = 60;
/** Times one request is made again. */
const maxRepeats = 3;

/** Requests that change nothing at the server: one that was turned away can be made again. */
const repeatable = new Set([
  'server/discover',
  'initialize',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

/** The server turned a request away and said when it may be made again. */
export class BusyError extends Error {
  readonly status: number;
  /** To wait until then. */
  readonly seconds: number;

  constructor(status: number, seconds: number) {
    super(`HTTP ${status}, the server asks to wait ${seconds} s`);
    this.name = 'BusyError';
    this.status = status;
    this.seconds = seconds;
  }
}

/**
 * Makes a request again after the time the server asks for (HTTP 429 and 503, `Retry-After`), if that is short
 * and the request of a kind that can be repeated; fails with `BusyError` if not. `patience`: seconds it
 * may wait in all.
 */
export async function whenNotBusy(
  method: string | undefined,
  patience: number,
  signal: AbortSignal | null | undefined,
  send: () => Promise<Response>,
): Promise<Response> {
  let left = Math.min(patience, longest);
  for (let repeats = 0; ; repeats++) {
    const response = await send();
    const seconds = retryAfter(response);
    if (seconds === undefined) return response;
    response.body?.cancel().catch(() => undefined);
    const mayRepeat = method !== undefined && repeatable.has(method) && repeats < maxRepeats;
    if (!mayRepeat || seconds > left) throw new BusyError(response.status, seconds);
    left -= seconds;
    await delay(seconds * 1000, undefined, { ...(signal && { signal }), ref: false });
  }
}

/** Seconds, at least 1; `undefined` when the server does not ask to wait (RFC 9110, "Retry-After"). */
function retryAfter({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const text = headers.get('retry-after')?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(1, Math.ceil(seconds));
}
