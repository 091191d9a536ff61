// Without the `node:` prefix: the editor lays its proxy and certificate settings under these two names only.
import http from 'http';
import https from 'https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { BridgeError } from '../../core/failures.ts';

/** Milliseconds until a connection must stand (name looked up, TLS done) and the request is written. */
const connectTimeout = 30_000;
/** Milliseconds of silence after which the system asks whether the other end is still there; some 10 s later it cuts the connection. */
const keepAliveDelay = 30_000;
/** Largest head of an answer, in bytes. */
const maxHeaderSize = 65_536;
const withoutBody = new Set([101, 204, 205, 304]);

/** What a connection says of itself; `host` is what the address says, also to a proxy. Settings do not decide about these. */
const ownHeaders = [
  ...['connection', 'content-length', 'expect', 'host', 'keep-alive', 'proxy-connection', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
];

/** Decides which addresses a request may go to. */
export interface AddressGate {
  /** Gives out allowed addresses only. Not asked where the host is an IP address or a proxy looks names up. */
  readonly lookup: LookupFunction;
  /** Why no request may go to this IP address. */
  readonly refusal: (address: string) => BridgeError | undefined;
}

/** Names of headers that are not sent as they are given. */
export function unsentHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.keys(headers).filter((name) => ownHeaders.includes(name.toLowerCase()));
}

/**
 * `fetch` over Node's own HTTP client: answers may take longer than the 300 s that the built-in one allows
 * to the first byte, redirects are left to the caller, and aborting frees the socket. Takes a text as
 * body. Sends no headers but those given and what HTTP needs; no cookies, no credentials of its own. Rejects with a `TypeError` whose
 * cause is the network error, with the `BridgeError` of the gate, or with the reason of the signal.
 */
export function nodeFetch(
  input: string | URL | Request,
  init: RequestInit,
  { lookup, refusal }: AddressGate,
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const { signal } = init;
  const headers = new Headers(init.headers);
  for (const name of ownHeaders) headers.delete(name);
  // What is compressed can be of any size once it is not.
  headers.set('accept-encoding', 'identity');
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(headers),
      maxHeaderSize,
      lookup,
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }));
    }, connectTimeout);
    request.once('socket', (socket) => {
      socket.setKeepAlive(true, keepAliveDelay);
      if (!request.reusedSocket) return;
      // Others in this process may have made the connection, and rules may have changed since.
      const check = (): void => {
        const { remoteAddress } = socket;
        const refused = remoteAddress === undefined ? undefined : refusal(remoteAddress);
        if (refused !== undefined) request.destroy(refused);
      };
      if (socket.connecting) socket.once('connect', check);
      else check();
    });
    request.once('finish', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.once('response', (incoming) => resolve(toResponse(incoming)));
    request.on('error', (error) => {
      if (signal?.aborted === true) reject(signal.reason);
      else if (error instanceof BridgeError) reject(error);
      else reject(new TypeError('fetch failed', { cause: error }));
    });
    request.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

function toResponse(incoming: http.IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const hasBody = !withoutBody.has(statusCode);
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}
