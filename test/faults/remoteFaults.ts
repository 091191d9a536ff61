import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startScripted } from '../servers/scriptedHttp.ts';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { eventually } from '../support/eventually.ts';
import { Random } from '../support/random.ts';
import { assertFailure, textOf, timed, type Fault } from './fault.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** What stands after the id of an answer, and what the call must come to. */
const deepAnswers: readonly (readonly [members: string, isResult: boolean])[] = [
  [`"result":{"content":[],"structuredContent":{"a":${nested}}}`, true],
  [`"result":{"content":${nested}}`, true],
  [`"result":${nested}`, true],
  [`"error":{"code":1,"message":"no","data":${nested}}`, false],
  [`"error":{"a":${nested}}`, false],
  [`"error":${nested}`, false],
];

/** More of what goes wrong with remote servers. */
export const remoteFaults: readonly Fault[] = [
  {
    id: 'R35b',
    injected: 'everything is stopped at 300 moments of a start over HTTP',
    right: 'nothing is sent afterwards; the next start works',
    inject: async (rig) => {
      await using server = await startStreamableHttp();
      const random = new Random(35);
      let longest = 0;
      for (let round = 0; round < 300; round++) {
        rig.configure({ s: launchAt(server.url) });
        await pause(random.below(20));
        const [milliseconds] = await timed(() => rig.all.host.stopAll());
        longest = Math.max(longest, milliseconds);
        rig.configure({});
      }
      // What was sent last may be on its way still.
      await pause(100);
      const sent = server.requests.length;
      await pause(500);
      assert.equal(server.requests.length, sent);
      await rig.run(launchAt(server.url));
      return longest;
    },
  },
  {
    id: 'R35c',
    injected: 'a server is stopped when it has begun a session, but the start is not over yet',
    right: 'the session is ended at the server too',
    inject: async (rig) => {
      await using server = await startScripted({
        'server/discover': ({ response }) => void response.writeHead(400).end(),
        initialize: ({ response, message }) => {
          response.writeHead(200, {
            'content-type': 'application/json',
            'mcp-session-id': 'begun',
          });
          const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
          response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
          return undefined;
        },
        'notifications/initialized': () => undefined,
        DELETE: ({ response }) => void response.writeHead(200).end(),
      });
      rig.configure({ s: launchAt(server.url) });
      await eventually('the session has begun', () =>
        server.methods.includes('notifications/initialized'),
      );
      const [milliseconds] = await timed(() => rig.all.host.stopAll());
      assert.ok(server.methods.includes('DELETE'));
      return milliseconds;
    },
  },
  {
    id: 'R46b',
    injected: '100 calls over HTTP are cancelled at any moment',
    right: '95 of them end within 50 ms, and every connection gets free',
    inject: async (rig) => {
      let open = 0;
      await using server = await startScripted({
        'tools/call': ({ response }) => {
          open += 1;
          response.once('close', () => (open -= 1));
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n');
          return undefined;
        },
      });
      await rig.run(launchAt(server.url));
      const random = new Random(46);
      const delays = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const abort = new AbortController();
          const { signal } = abort;
          const call = rig.all.host.callTool({
            ...{ serverId: 'user/s', tool: 'echo', arguments: {}, signal },
          });
          call.catch(() => undefined);
          await pause(random.below(500));
          const [milliseconds] = await timed(async () => {
            abort.abort();
            await assert.rejects(call, { name: 'AbortError' });
          });
          return milliseconds;
        }),
      );
      const slow = delays.toSorted((left, right) => left - right)[94] ?? 0;
      assert.ok(slow <= 50, `${slow} ms`);
      await eventually('every connection is free', () => open === 0, 5000);
      return slow;
    },
  },
  {
    id: 'R49c',
    injected: 'JSON nested 100,000 deep in the answers of a remote server',
    right: 'each call ends at once, with a result or what went wrong; the next call works',
    inject: async (rig) => {
      let members: string | undefined;
      await using server = await startScripted({
        'tools/call': ({ response, message }) => {
          if (members === undefined) return { content: [{ type: 'text', text: 'ok' }] };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(message['id'])},${members}}`);
          return undefined;
        },
      });
      await rig.run(launchAt(server.url));
      let longest = 0;
      for (const [deep, isResult] of deepAnswers) {
        members = deep;
        const [milliseconds, outcome] = await timed(() => rig.call('echo'));
        if (isResult) assert.ok(textOf(outcome).length > 0);
        else assertFailure(outcome, 'protocol', /answered the call/);
        members = undefined;
        assert.equal(textOf(await rig.call('echo')), 'ok');
        longest = Math.max(longest, milliseconds);
      }
      return longest;
    },
  },
];

const serverInfo = { name: 'busy', version: '1' };
