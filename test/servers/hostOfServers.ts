// Not a server but what runs some: a process that starts those named by its arguments with our own code and then
// does as its standard input says, one order a line, and answers each with one line. Ends by itself only when nothing is left to do.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { errorMessage } from '../../src/base/errors.ts';
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

/** How many of the servers answer. */
async function ping(): Promise<number> {
  const running = transports.filter(({ pid }) => pid !== undefined);
  const answers = running.map(async (transport, id) => {
    const answer = new Promise((resolve) => {
      transport.onmessage = resolve;
    });
    await transport.send({ jsonrpc: '2.0', id, method: 'ping' });
    return answer;
  });
  return (await Promise.all(answers)).length;
}

async function obey(order: string): Promise<string> {
  const [verb, server = ''] = order.split(' ');
  if (verb === 'exit') process.exit(0);
  if (verb === 'stop') await Promise.all(transports.map((transport) => transport.close()));
  if (verb === 'start') await start(server);
  return verb === 'ping' ? `answered by ${await ping()}` : 'done';
}

for (const server of process.argv.slice(2)) await start(server);
process.stdout.write('done\n');
createInterface({ input: process.stdin }).on('line', (order) => {
  void obey(order)
    .catch((error: unknown) => errorMessage(error))
    .then((answer) => process.stdout.write(`${answer}\n`));
});
