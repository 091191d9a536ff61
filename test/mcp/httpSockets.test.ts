import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import process from 'node:process';
import { test } from 'node:test';
import type { ServerResponse } from 'node:http';
import { startScripted, type Exchange, type Script } from '../servers/scriptedHttp.ts';
import { eventually } from '../support/eventually.ts';
import { call, open, openFailure, toolNames } from '../support/sessions.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;

/** Writes a byte every 50 ms for as long as there is a connection. */
function drip(target: Socket | ServerResponse): void {
  const timer = setInterval(() => target.write('x'), 50);
  target.once('close', () => clearInterval(timer));
}

const drips: Readonly<Record<string, (exchange: Exchange) => undefined>> = {
  head: ({ response: { socket } }) => {
    socket?.write('HTTP/1.1 200 OK\r\nx-slow: ');
    if (socket) drip(socket);
    return undefined;
  },
  body: ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    drip(response);
    return undefined;
  },
  'event stream': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    drip(response);
    return undefined;
  },
};

/** The script, and the sockets on which the given method was received and that are still open. */
function watched(method: string, handler: Script[string]): [Script, Set<Socket>] {
  const sockets = new Set<Socket>();
  const script: Script = {
    [method]: (exchange) => {
      const { socket } = exchange.request;
      if (!sockets.has(socket)) socket.once('close', () => sockets.delete(socket));
      sockets.add(socket);
      return handler?.(exchange);
    },
  };
  return [script, sockets];
}

for (const [part, handler] of Object.entries(drips)) {
  test(`a start whose answer has an endless ${part} ends at its limit and frees the connection`, async () => {
    const [script, sockets] = watched('initialize', handler);
    await using server = await startScripted(script);
    const startedAt = performance.now();
    const options = { connectSeconds: 1, protocol: 'legacy' } as const;
    const { code } = await openFailure(launchAt(server.url), options);
    assert.equal(code, 'timedOut');
    assert.ok(performance.now() - startedAt < 3000);
    await eventually('the connection is free', () => sockets.size === 0);
  });

  test(`a list whose answer has an endless ${part} ends at its limit and frees the connection`, async () => {
    const [script, sockets] = watched('tools/list', handler);
    await using server = await startScripted(script);
    await using session = await open(launchAt(server.url));
    const startedAt = performance.now();
    await assert.rejects(session.listTools(1, new AbortController().signal));
    assert.ok(performance.now() - startedAt < 3000);
    await eventually('the connection is free', () => sockets.size === 0);
  });

  test(`a call whose answer has an endless ${part} ends at its limit and frees the connection`, async () => {
    const [script, sockets] = watched('tools/call', handler);
    await using server = await startScripted(script);
    await using session = await open(launchAt(server.url));
    const startedAt = performance.now();
    await assert.rejects(call(session, 'echo', {}, { timeouts: { call: 1 } }), {
      code: 'timedOut',
    });
    assert.ok(performance.now() - startedAt < 3000);
    await eventually('the connection is free', () => sockets.size === 0);
  });
}

test('a message that is never taken in frees its connection', async () => {
  const [script, sockets] = watched('notifications/cancelled', () => undefined);
  await using server = await startScripted({ ...script, 'tools/call': () => undefined });
  await using session = await open(launchAt(server.url), { connectSeconds: 2 });
  await assert.rejects(call(session, 'echo', {}, { timeouts: { call: 0.2 } }));
  await eventually('the message', () => sockets.size === 1);
  await eventually('the connection is free', () => sockets.size === 0, 4000);
});

test('connections are used again, and those not in use are closed soon', async () => {
  const sockets = new Set<Socket>();
  const [script, inUse] = watched('tools/call', ({ request }) => {
    sockets.add(request.socket);
    return { content: [] };
  });
  await using server = await startScripted(script);
  await using session = await open(launchAt(server.url));
  for (let count = 0; count < 50; count++) await call(session, 'echo');
  assert.ok(sockets.size <= 3, `${sockets.size} connections for calls one after another`);
  await Promise.all(Array.from({ length: 40 }, () => call(session, 'echo')));
  assert.ok(sockets.size <= 43, `${sockets.size} connections for 40 calls at once`);
  await eventually('no connection', () => inUse.size === 0, 8000);
});

test('the system finds out that the other end of a silent connection is gone', async () => {
  let port: number | undefined;
  await using server = await startScripted({
    GET: ({ request, response }) => {
      port = request.socket.remotePort;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return undefined;
    },
  });
  await using session = await open(launchAt(server.url));
  assert.deepEqual(await toolNames(session), ['echo']);
  const ours = await eventually('the stream', () => port);
  await eventually('the keep-alive timer', () => keepAliveOf(ours) !== undefined);
  const seconds = keepAliveOf(ours) ?? Infinity;
  // Node's own agent would have it ask every second; the editor's would not have it ask at all.
  assert.ok(seconds > 1 && seconds <= 30, `${seconds} s`);
});

/** Seconds until the system asks whether the other end of the connection from this port is there. Linux only. */
function keepAliveOf(port: number): number | undefined {
  if (process.platform !== 'linux') return 30;
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, address, , , , timer = ''] = line.trim().split(/\s+/);
    const [kind, when = ''] = timer.split(':');
    // 02: a keep-alive timer; in hundredths of a second.
    if (address?.endsWith(local) === true && kind === '02') return parseInt(when, 16) / 100;
  }
  return undefined;
}
