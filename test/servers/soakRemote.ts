// node soakRemote.ts COUNT: so many remote servers of the soak in one process, of three transports in turn. Prints their addresses
// as one line of JSON; a line on stdin makes the servers with sessions forget them; ends with its input.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { startLegacySse } from './legacySse.ts';
import { startModernHttp } from './modernHttp.ts';
import { createSoakV1, createSoakV2 } from './soakServers.ts';
import { startStreamableHttp, type SessionServer } from './streamableHttp.ts';

const count = Number(process.argv[2]);
const withSessions: SessionServer[] = [];
const starts = [
  async () => {
    const server = await startStreamableHttp(createSoakV1);
    withSessions.push(server);
    return server;
  },
  () => startModernHttp(createSoakV2),
  () => startLegacySse(405, createSoakV1),
];
const urls: string[] = [];
for (let number = 0; number < count; number++) {
  const start = starts[number % starts.length];
  if (start !== undefined) urls.push((await start()).url);
}
process.stdout.write(`${JSON.stringify(urls)}\n`);
createInterface({ input: process.stdin })
  .on('line', () => {
    for (const server of withSessions) server.forget();
  })
  .on('close', () => process.exit());
