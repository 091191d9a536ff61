import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in this process. */
export interface RunningHttpServer extends AsyncDisposable {
  readonly url: string;
  /** `METHOD /path`, in the order of arrival. */
  readonly requests: readonly string[];
}

/** Listens on a free port of this machine; disposing closes every connection. */
export async function listen(onRequest: RequestListener): Promise<RunningHttpServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    onRequest(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** The address of a port at which nothing listens. */
export async function deadAddress(): Promise<string> {
  const server = await listen(() => undefined);
  await server[Symbol.asyncDispose]();
  return server.url;
}
