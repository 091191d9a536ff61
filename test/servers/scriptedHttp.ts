// Streamable HTTP by hand: sound by default, as odd as a test wants for single methods.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen, type RunningHttpServer } from './listen.ts';
import type { Params } from './jsonRpc.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The JSON-RPC message; of a GET or DELETE empty. */
  readonly message: Params;
}

/** By JSON-RPC method, or `GET`. Gives the `result`, or `undefined` when it has answered in its own way. */
export type Script = Readonly<Record<string, (exchange: Exchange) => unknown>>;

const defaults: Script = {
  initialize: ({ message }) => ({
    protocolVersion: (message['params'] as Params)['protocolVersion'],
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'ok' }] }),
};

export interface ScriptedServer extends RunningHttpServer {
  /** Methods of the messages received, `GET` for an event stream. */
  readonly methods: readonly string[];
}

export async function startScripted(script: Script): Promise<ScriptedServer> {
  const methods: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = request.method === 'POST' ? ((await json(request)) as Params) : {};
    const method = (message['method'] as string | undefined) ?? request.method ?? '';
    methods.push(method);
    const handler = script[method] ?? defaults[method];
    if (handler === undefined) {
      const isNotification = request.method === 'POST' && message['id'] === undefined;
      if (isNotification) response.writeHead(202).end();
      else if (request.method !== 'POST') response.writeHead(405).end();
      else reply(response, { id: message['id'], error: { code: -32_601, message: 'unknown' } });
      return;
    }
    const result = handler({ request, response, message });
    if (result !== undefined) reply(response, { id: message['id'], result });
  };
  const server = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return { ...server, methods };
}

function reply(response: ServerResponse, members: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...members }));
}
