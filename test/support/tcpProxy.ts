import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network in between, with faults: passes bytes on, swallows them, or is not there. */
export interface TcpProxy extends AsyncDisposable {
  readonly url: string;
  /** Connections stay open, but no byte gets through any more, in either direction. */
  swallow(): void;
  /** Cuts all connections; new ones are refused. */
  down(): Promise<void>;
  /** All is well again for new connections. */
  up(): Promise<void>;
}

/** A proxy on this machine before the server at `target`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port: targetPort, pathname } = new URL(target);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (!isSwallowing) to.write(chunk);
    });
    from.on('error', () => from.destroy());
    from.once('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect(Number(targetPort), hostname);
    join(near, far);
    join(far, near);
  });
  const listenAt = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listenAt(0);
  const { port } = server.address() as AddressInfo;
  const down = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    swallow: () => {
      isSwallowing = true;
    },
    down,
    up: async () => {
      isSwallowing = false;
      if (!server.listening) await listenAt(port);
    },
    [Symbol.asyncDispose]: down,
  };
}
