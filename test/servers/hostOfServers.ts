// Not a server but what runs some: a process that starts those named by its arguments with our own code and then
// does as its standard input says, one word a line. Answers each with `done`. Ends by itself only when nothing is left to do.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { StdioTransport } from '../../src/mcp/stdioTransport.ts';
import { launchOf } from '../support/launches.ts';
import { markFromEnvironment } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

const { signal } = new AbortController();
const mark = markFromEnvironment();
const transports: StdioTransport[] = [];

async function start(server: string): Promise<void> {
  const transport = new StdioTransport(launchOf(server, mark), new RecordingLogger(), signal);
  transports.push(transport);
  await transport.start();
}

async function obey(order: string): Promise<void> {
  if (order === 'exit') process.exit(0);
  if (order === 'stop') await Promise.all(transports.map((transport) => transport.close()));
  if (order.startsWith('start ')) await start(order.slice('start '.length));
  process.stdout.write('done\n');
}

for (const server of process.argv.slice(2)) await start(server);
process.stdout.write('done\n');
createInterface({ input: process.stdin }).on('line', (order) => void obey(order));
