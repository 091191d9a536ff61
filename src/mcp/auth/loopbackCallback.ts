import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { abortOf } from '../../base/async.ts';
import type { Callback } from '../../core/servers/signIn.ts';

const defaultPath = '/callback';

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
  `<body style="font-family:sans-serif;margin:4em"><h1>${title}</h1><p>${text}</p></body></html>`;

/**
 * Listens on this machine for the browser's return (RFC 8252, "Loopback Interface Redirection"), for one request.
 * `wanted` is the address a registered client must use again, or a port; another port is taken when it
 * is busy, unless `isFixed`. Rejects with the error of the system.
 */
export async function loopbackCallback(
  wanted: string | number | undefined,
  isFixed = false,
): Promise<Callback> {
  const { path, port, host } = partsOf(wanted);
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 });
  try {
    await listen(server, port);
  } catch (error: unknown) {
    if (isFixed || port === 0) throw error;
    await listen(server, 0);
  }
  const { port: actual } = server.address() as AddressInfo;
  const answered = new Promise<URLSearchParams>((resolve) => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const query = queryOf(request, path, actual);
      if (query === undefined) return respond(response, 404, 'Not found', 'Nothing is here.');
      const isRefused = query.has('error') || !query.has('code');
      const title = isRefused ? 'Not signed in' : 'Signed in';
      respond(response, 200, title, 'You can close this page and go back to the editor.');
      // No second request is looked at.
      server.removeAllListeners('request').on('request', (_request, late) => late.destroy());
      server.close();
      resolve(query);
    });
  });
  return {
    url: `http://${host}:${actual}${path}`,
    answer: (_state, signal) => Promise.race([answered, abortOf(signal)]),
    dispose: () => {
      server.close();
      // The page that says "you can close this" must get through first.
      setTimeout(() => server.closeAllConnections(), 1000).unref();
    },
  };
}

/** The query of a request that is the browser's return; pages on the web that guess the port are not. */
function queryOf(
  { method, url = '', headers }: IncomingMessage,
  path: string,
  port: number,
): URLSearchParams | undefined {
  const isOurs = headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
  const target = URL.parse(url, 'http://127.0.0.1');
  if (method !== 'GET' || !isOurs || target?.pathname !== path) return undefined;
  return target.searchParams;
}

function respond(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  });
  response.end(page(title, text));
}

function partsOf(wanted: string | number | undefined): {
  path: string;
  port: number;
  host: string;
} {
  const url = typeof wanted === 'string' ? URL.parse(wanted) : null;
  if (url !== null && isLoopbackCallback(url)) {
    return { path: url.pathname, port: Number(url.port), host: url.hostname };
  }
  return { path: defaultPath, port: typeof wanted === 'number' ? wanted : 0, host: '127.0.0.1' };
}

function isLoopbackCallback({ protocol, hostname, port, search }: URL): boolean {
  return (
    protocol === 'http:' &&
    port !== '' &&
    search === '' &&
    /^(127\.0\.0\.1|localhost)$/.test(hostname)
  );
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
