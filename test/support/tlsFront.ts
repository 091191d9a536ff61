import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, isIP, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

/** TLS before a plain server of this machine, with a certificate that nobody has issued. */
export interface TlsFront extends AsyncDisposable {
  readonly port: number;
  /** The certificate, in a file as `NODE_EXTRA_CA_CERTS` wants it. */
  readonly certificateFile: string;
}

export interface Certificate extends AsyncDisposable {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** In a file as `NODE_EXTRA_CA_CERTS` wants it. */
  readonly file: string;
}

/** Makes a certificate for `host` with the `openssl` of this machine. */
export async function certificateFor(host: string): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-tls-'));
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
    ...[
      '-subj',
      `/CN=${host}`,
      '-addext',
      `subjectAltName=${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`,
    ],
    ...['-keyout', keyFile, '-out', certificateFile],
  ]);
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certificateFile)]);
  return {
    ...{ key, cert, file: certificateFile },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Listens with a certificate for `host` before the port at `target`. */
export async function startTlsFront(host: string, target: string): Promise<TlsFront> {
  const certificate = await certificateFor(host);
  const { key, cert } = certificate;
  const sockets = new Set<TLSSocket>();
  const server = createServer({ key, cert }, (near) => {
    sockets.add(near);
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.once('close', () => sockets.delete(near));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    certificateFile: certificate.file,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await certificate[Symbol.asyncDispose]();
    },
  };
}
