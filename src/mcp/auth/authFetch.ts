import type { FetchLike } from '@modelcontextprotocol/client';
import { BridgeError } from '../../core/failures.ts';
import { bodyGuard } from '../eventStreamGuard.ts';
import type { Egress } from '../egress/egress.ts';

/** Largest document of an authorization server, in bytes. */
const maxBytes = 262_144;
/** Milliseconds for one request. */
const patience = 15_000;

/**
 * The `fetch` of everything that is not a request to the MCP server itself: metadata, registration, tokens. Only
 * to addresses that the rules allow, bounded in size and time; a redirect is not followed here (the SDK follows
 * one within the origin, each step through here). Rejects with a `TypeError`: the SDK takes anything else of
 * a metadata request for "has none" and goes on elsewhere.
 */
export function authFetch(rules: Egress, signal: AbortSignal): FetchLike {
  return async (input, init = {}) => {
    const { body, headers, method } = init;
    const request = {
      ...(headers && { headers }),
      ...(method !== undefined && { method }),
      ...(body !== undefined && body !== null && { body: text(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    };
    const response = await rules.fetch(input, request).catch((error: unknown) => {
      throw error instanceof BridgeError ? failed(error) : error;
    });
    const { status, statusText } = response;
    if (method === 'POST' && status >= 500) {
      response.body?.cancel().catch(() => undefined);
      throw failed(troubled(new URL(input), status));
    }
    const guarded = response.body?.pipeThrough(bodyGuard(maxBytes)) ?? null;
    return new Response(guarded, { status, statusText, headers: response.headers });
  };
}

function text(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError('Only texts and forms are sent');
}

function failed(cause: BridgeError): TypeError {
  return new TypeError('fetch failed', { cause });
}

function troubled({ host }: URL, status: number): BridgeError {
  return new BridgeError(
    'unreachable',
    `The authorization server ${host} answered HTTP ${status}. You stay signed in; try again later.`,
    { summary: `its authorization server answered HTTP ${status}` },
  );
}
