// Without the `node:` prefix: the editor lays its proxy and certificate settings under these two names only.
import http from 'http';
import https from 'https';
import { Readable } from 'node:stream';

/** Milliseconds until a connection must stand (name looked up, TLS done) and the request is written. */
const connectTimeout = 30_000;
/** Milliseconds of silence after which the system asks whether the other end is still there; some 10 s later it cuts the connection. */
const keepAliveDelay = 30_000;
/** Largest head of an answer, in bytes. */
const maxHeaderSize = 65_536;
const withoutBody = new Set([101, 204, 205, 304]);

/**
 * `fetch` over Node's own HTTP client: answers may take longer than the 300 s that the built-in one allows
 * to the first byte, redirects are left to the caller, and aborting frees the socket. Takes a text as
 * body. Rejects with a `TypeError` whose cause is the network error, or with the reason of the signal.
 */
export function nodeFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const { signal } = init;
  const headers = new Headers(init.headers);
  // What is compressed can be of any size once it is not.
  headers.set('accept-encoding', 'identity');
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(headers),
      maxHeaderSize,
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }));
    }, connectTimeout);
    request.once('socket', (socket) => socket.setKeepAlive(true, keepAliveDelay));
    request.once('finish', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
    request.once('response', (incoming) => resolve(toResponse(incoming)));
    request.on('error', (error) => {
      reject(
        signal?.aborted === true ? signal.reason : new TypeError('fetch failed', { cause: error }),
      );
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
