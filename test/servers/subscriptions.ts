// Revision 2026-07-28 by hand: tells changes of its tools on a subscription, as long as the test lets it.
import type { ServerResponse } from 'node:http';
import type { Params } from './jsonRpc.ts';
import { startScripted, type Script, type ScriptedServer } from './scriptedHttp.ts';

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

export interface SubscriptionServer extends ScriptedServer {
  /** Subscriptions that are open now. */
  readonly streams: ReadonlySet<ServerResponse>;
  /** Number of subscriptions that were ever asked for. */
  readonly asked: number;
  /** Its tool from now on. */
  rename(tool: string): void;
  /** Says on every open subscription that the tools have changed. */
  tell(): void;
}

/** `script`: what it does in another way. */
export async function startSubscriptions(script: Script = {}): Promise<SubscriptionServer> {
  const streams = new Set<ServerResponse>();
  let tool = 'first';
  const write = (stream: ServerResponse, method: string, params: Params): void => {
    stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`);
  };
  const server = await startScripted({
    'server/discover': () => ({
      ...complete,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'subscriptions', version: '1' } },
    }),
    'tools/list': () => ({
      ...complete,
      tools: [{ name: tool, inputSchema: { type: 'object' } }],
    }),
    'tools/call': () => ({ resultType: 'complete', content: [{ type: 'text', text: 'ok' }] }),
    'subscriptions/listen': ({ response, message }) => {
      streams.add(response);
      response.once('close', () => streams.delete(response));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write(response, 'notifications/subscriptions/acknowledged', {
        _meta: { 'io.modelcontextprotocol/subscriptionId': message['id'] },
        notifications: (message['params'] as Params)['notifications'],
      });
      return undefined;
    },
    ...script,
  });
  return {
    ...server,
    streams,
    get asked() {
      return server.methods.filter((method) => method === 'subscriptions/listen').length;
    },
    rename: (name) => {
      tool = name;
    },
    tell: () => {
      for (const stream of streams) write(stream, 'notifications/tools/list_changed', {});
    },
  };
}
