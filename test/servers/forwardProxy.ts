// An HTTP proxy on this machine: passes requests on to where names that exist nowhere are said to be.
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ForwardProxy extends AsyncDisposable {
  readonly url: string;
  /** `POST http://host/path` or `CONNECT host:port`, in the order of arrival. */
  readonly requests: readonly string[];
}

/** `ports`: by host name, the port of this machine that stands for it. Other hosts are answered with 502. */
export async function startForwardProxy(
  ports: Readonly<Record<string, number>>,
): Promise<ForwardProxy> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const target = URL.parse(incoming.url ?? '');
    const port = target === null ? undefined : ports[target.hostname];
    if (target === null || port === undefined) return response.writeHead(502).end();
    const { method, headers } = incoming;
    const options = { port, path: target.pathname, method, headers, agent: false } as const;
    const onward = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    return incoming.pipe(onward);
  });
  server.on('connect', ({ url = '' }: IncomingMessage, near: Duplex) => {
    requests.push(`CONNECT ${url}`);
    const port = ports[url.split(':')[0] ?? ''];
    if (port === undefined) return near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    const far = connect(port, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    return near.once('close', () => far.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
