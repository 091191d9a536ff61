import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startScripted, type Exchange } from '../servers/scriptedHttp.ts';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { eventually } from '../support/eventually.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';
import { assertFailure, impatient, textOf, timed, type Fault } from './fault.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;

/** Remote servers that come and go: networks, sleep, sessions that are forgotten. */
export const networkFaults: readonly Fault[] = [
  {
    id: 'R14',
    injected: 'the network swallows every byte, connections stay open; later it is well again',
    right: 'the call fails at its limit; the next one afterwards works',
    inject: async (rig) => {
      await using server = await startStreamableHttp();
      await using proxy = await startTcpProxy(server.url);
      await rig.run(launchAt(proxy.url), impatient);
      proxy.swallow();
      const outcome = await rig.call('echo', { text: 'lost' });
      assertFailure(outcome, 'timedOut', /within 1 s/);
      await proxy.down();
      await proxy.up();
      const [milliseconds, next] = await timed(() => rig.call('echo', { text: 'again' }));
      assert.equal(textOf(next), 'again');
      return milliseconds;
    },
  },
  {
    id: 'R19',
    injected: 'the server forgets the session (HTTP 404)',
    right: 'a new one is opened, the call is made once',
    inject: async (rig) => {
      await using server = await startStreamableHttp();
      await rig.run(launchAt(server.url));
      server.forget();
      const [milliseconds, outcome] = await timed(() => rig.call('echo', { text: 'again' }));
      assert.equal(textOf(outcome), 'again');
      assert.equal(server.openSessions, 1);
      return milliseconds;
    },
  },
  {
    id: 'R21',
    injected: 'the first `tools/list` and the first call get HTTP 429 with `Retry-After: 1`',
    right: 'the list is read after that second; the call is not repeated, the model is told',
    inject: async (rig) => {
      const seen = new Set<string>();
      const busyOnce =
        (method: string, result: object) =>
        ({ response }: Exchange) => {
          if (seen.has(method)) return result;
          seen.add(method);
          response.writeHead(429, { 'retry-after': '1' }).end();
          return undefined;
        };
      const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
      await using server = await startScripted({
        'tools/list': busyOnce('tools/list', { tools }),
        'tools/call': busyOnce('tools/call', { content: [{ type: 'text', text: 'ok' }] }),
      });
      const [milliseconds] = await timed(() => rig.run(launchAt(server.url)));
      assertFailure(await rig.call('echo'), 'unreachable', /asks to wait 1 s.*not carried out/);
      assert.equal(server.methods.filter((method) => method === 'tools/call').length, 1);
      assert.equal(textOf(await rig.call('echo')), 'ok');
      return milliseconds;
    },
  },
  {
    id: 'R30',
    isSlow: true,
    injected:
      'the machine sleeps for an hour: its clock jumps, and one of two servers is gone after it',
    right:
      'the sound one is asked once, the other comes back by itself; no process is started anew',
    inject: async (rig) => {
      await using sound = await startStreamableHttp();
      await using gone = await startStreamableHttp();
      await using proxy = await startTcpProxy(gone.url);
      const local = rig.launch('echo');
      rig.configure({ sound: launchAt(sound.url), gone: launchAt(proxy.url), local });
      await rig.all.ready('sound', 'gone', 'local');
      const pid = rig.all.pid('local');
      // Connections that a sleep has killed look like this: open, and silent.
      proxy.swallow();
      const before = sound.requests.length;
      const { now } = Date;
      const [milliseconds] = await timed(async () => {
        Date.now = () => now() + 3_600_000;
        try {
          await eventually(
            'the waking',
            () => /remote servers are checked/.test(rig.all.log.text),
            12_000,
          );
        } finally {
          Date.now = now;
        }
        await eventually('the loss', () => rig.all.kind('gone') === 'error', 20_000);
        await proxy.down();
        await proxy.up();
        await rig.all.ready('gone');
      });
      const asked = sound.requests.slice(before).filter((request) => request.startsWith('POST'));
      assert.equal(asked.length, 1);
      assert.equal(rig.all.pid('local'), pid);
      return milliseconds;
    },
  },
  {
    id: 'R54',
    isSlow: true,
    injected: 'the network is gone for 20 s and nobody calls; then it is back',
    right: 'the server is shown as lost, tried few times, and in use again by itself',
    inject: async (rig) => {
      await using server = await startStreamableHttp();
      await using proxy = await startTcpProxy(server.url);
      await rig.run(launchAt(proxy.url));
      await proxy.down();
      const downAt = performance.now();
      await eventually('the loss is seen', () => rig.all.kind('s') === 'error', 20_000);
      const state = rig.all.server('s')?.state;
      assert.ok(state?.kind === 'error' && state.retryAt !== undefined);
      await pause(Math.max(0, 20_000 - (performance.now() - downAt)));
      const starts = rig.all.log.text.split('starting again').length - 1;
      assert.ok(starts >= 2 && starts <= 6, `${starts} starts`);
      await proxy.up();
      const [milliseconds] = await timed(() =>
        eventually('it is in use again', () => rig.all.kind('s') === 'running', 36_000),
      );
      assert.equal(textOf(await rig.call('echo', { text: 'again' })), 'again');
      return milliseconds;
    },
  },
  {
    id: 'R54b',
    injected: 'the network is gone: connections are cut, new ones refused; later it is back',
    right: 'calls fail at once while it is gone; the first one afterwards works',
    inject: async (rig) => {
      await using server = await startStreamableHttp();
      await using proxy = await startTcpProxy(server.url);
      await rig.run(launchAt(proxy.url));
      await proxy.down();
      const outcome = await rig.call('echo', { text: 'lost' });
      assertFailure(outcome, 'unreachable', /connection refused|closed the connection/);
      await proxy.up();
      const [milliseconds, next] = await timed(() => rig.call('echo', { text: 'again' }));
      assert.equal(textOf(next), 'again');
      return milliseconds;
    },
  },
];
