import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';

/** Resolves with a loopback TCP port that was free a moment ago: `wanted` when it is free, else any. */
export async function freePort(wanted = 0): Promise<number> {
  try {
    return await probePort(wanted);
  } catch (error) {
    if (wanted === 0) throw error;
    return probePort(0);
  }
}

function probePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('No free port.'));
      });
    });
  });
}

/**
 * Like `freePort`, but gives the same port again for the same `file`. A browser keeps what a page stored (the state of the web workbench and its
 * extensions) per address, so an editor that restarts must come back at the port it had.
 */
export async function rememberedPort(file: string): Promise<number> {
  const before = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = await freePort(before);
  await writeFile(file, String(port));
  return port;
}
