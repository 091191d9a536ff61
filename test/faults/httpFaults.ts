import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startScripted, type Script } from '../servers/scriptedHttp.ts';
import { eventually } from '../support/eventually.ts';
import { assertFailure, impatient, textOf, timed, type Fault, type Rig } from './fault.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;

/** A server whose first `tools/call` is answered by `answer`, and whose others are sound; all sockets of that call must get free. */
async function againstCall(
  rig: Rig,
  answer: Script[string],
  check: (call: () => ReturnType<Rig['call']>) => Promise<number>,
  members: Parameters<Rig['run']>[1] = impatient,
): Promise<number> {
  let isOpen = false;
  let isFirst = true;
  await using server = await startScripted({
    'tools/call': (exchange) => {
      if (!isFirst) return { content: [{ type: 'text', text: 'ok' }] };
      isFirst = false;
      isOpen = true;
      exchange.response.once('close', () => {
        isOpen = false;
      });
      return answer?.(exchange);
    },
  });
  await rig.run(launchAt(server.url), members);
  const milliseconds = await check(() => rig.call('echo'));
  assert.equal(server.methods.filter((method) => method === 'tools/call').length, 1);
  await eventually('the connection of the call is free', () => !isOpen, 5000);
  assert.equal(textOf(await rig.call('echo')), 'ok');
  return milliseconds;
}

/** The call fails at its limit of 1 s. */
async function atLimit(call: () => ReturnType<Rig['call']>): Promise<number> {
  const [milliseconds, outcome] = await timed(call);
  assertFailure(outcome, 'timedOut', /within 1 s.*timeouts\.call/s);
  return milliseconds;
}

/** Writes something every 50 ms for as long as there is a connection. */
function drip(socket: {
  write(text: string): unknown;
  once(event: 'close', f: () => void): unknown;
}): void {
  const timer = setInterval(() => socket.write('x'), 50);
  socket.once('close', () => clearInterval(timer));
}

/** What goes wrong with remote servers and on the way to them. */
export const httpFaults: readonly Fault[] = [
  {
    id: 'R04',
    injected: '`server/discover` of the newest protocol is never answered',
    right: 'after its 2 s the older handshake is tried, and works',
    inject: async (rig) => {
      await using server = await startScripted({ 'server/discover': () => undefined });
      const [milliseconds] = await timed(() => rig.run(launchAt(server.url)));
      assert.ok(server.methods.includes('initialize'));
      return milliseconds;
    },
  },
  {
    id: 'R05',
    injected: 'a call is never answered (limit 1 s)',
    right: 'it fails at the limit, the server is told, the connection gets free',
    inject: async (rig) => {
      let told = 0;
      await using server = await startScripted({
        'tools/call': () => undefined,
        'notifications/cancelled': ({ response }) => {
          told += 1;
          response.writeHead(202).end();
          return undefined;
        },
      });
      await rig.run(launchAt(server.url), impatient);
      const milliseconds = await atLimit(() => rig.call('echo'));
      await eventually('the server is told', () => told === 1);
      return milliseconds;
    },
  },
  {
    id: 'R12',
    injected: 'the head of an answer comes byte by byte, without end',
    right: 'the call fails at its limit, the connection gets free',
    inject: (rig) =>
      againstCall(
        rig,
        ({ response: { socket } }) => {
          socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
          if (socket) drip(socket);
          return undefined;
        },
        atLimit,
      ),
  },
  {
    id: 'R13',
    injected: 'the body of an answer comes byte by byte, without end',
    right: 'the call fails at its limit, the connection gets free',
    inject: (rig) =>
      againstCall(
        rig,
        ({ response }) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          drip(response);
          return undefined;
        },
        atLimit,
      ),
  },
  {
    id: 'R15',
    injected: 'the event stream of a call is cut after 100 ms',
    right: 'the call fails at once with "unknown", and is not repeated',
    inject: (rig) =>
      againstCall(
        rig,
        ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
          setTimeout(() => response.destroy(), 100);
          return undefined;
        },
        async (call) => {
          const [milliseconds, outcome] = await timed(call);
          assertFailure(outcome, 'connectionLost', /unknown.*not repeated/s);
          assert.ok(milliseconds < 900, `${milliseconds} ms: that is the time limit`);
          return milliseconds;
        },
      ),
  },
  {
    id: 'R16',
    injected: 'the event stream ends whenever it is opened, with `retry: 0` (watched for 2 s)',
    right: 'it is opened at most 10 times',
    inject: async (rig) => {
      await using server = await startScripted({
        GET: ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end('retry: 0\n\n');
          return undefined;
        },
      });
      await rig.run(launchAt(server.url));
      await pause(2000);
      const opened = server.methods.filter((method) => method === 'GET').length;
      assert.ok(opened >= 1 && opened <= 10, `${opened} times`);
      return 2000;
    },
  },
  {
    id: 'R17',
    injected: 'one event of a stream has no end',
    right: 'the call fails at 32 MiB, the connection gets free',
    inject: (rig) =>
      againstCall(
        rig,
        ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
          const part = 'x'.repeat(1024 * 1024);
          const more = (): void => {
            while (!response.destroyed && response.write(part));
          };
          response.on('drain', more);
          more();
          return undefined;
        },
        async (call) => {
          const [milliseconds, outcome] = await timed(call);
          assertFailure(outcome, 'connectionLost', /more than 33554432 bytes/);
          return milliseconds;
        },
        {},
      ),
  },
  {
    id: 'R18',
    injected: 'an answer of 64 KiB, compressed, that would become 64 MiB',
    right: 'nothing compressed is asked for, nothing is inflated, the call fails',
    inject: async (rig) => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
      let accepted: unknown;
      return againstCall(
        rig,
        ({ request, response }) => {
          accepted = request.headers['accept-encoding'];
          const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
          response.writeHead(200, headers).end(bomb);
          return undefined;
        },
        async (call) => {
          const before = process.memoryUsage().arrayBuffers;
          const [milliseconds, outcome] = await timed(call);
          assert.equal(outcome.kind, 'failure');
          assert.equal(accepted, 'identity');
          assert.ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024);
          return milliseconds;
        },
      );
    },
  },
];
