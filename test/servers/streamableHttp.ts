// Streamable HTTP with sessions, made with the first generation of the official SDK.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { listen, type RunningHttpServer } from './listen.ts';

export interface SessionServer extends RunningHttpServer {
  /** Number of sessions that were begun and not ended. */
  readonly openSessions: number;
  /** Forgets all sessions, as a server does that was started anew. */
  forget(): void;
}

export async function startStreamableHttp(create = createEcho): Promise<SessionServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const begin = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        transports.set(id, transport);
      },
      onsessionclosed: (id) => {
        transports.delete(id);
      },
    });
    await create().connect(transport);
    return transport;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? transports.get(id) : undefined;
    if (typeof id === 'string' && known === undefined) {
      response.writeHead(404).end('no such session');
      return;
    }
    await (known ?? (await begin())).handleRequest(request, response);
  };
  const server = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    ...server,
    get openSessions() {
      return transports.size;
    },
    forget: () => transports.clear(),
  };
}

/** A server with the tool `echo`. */
export function createEcho(): McpServer {
  const server = new McpServer({ name: 'remote', version: '1.0.0' });
  server.registerTool(
    'echo',
    { description: 'Says it again.', inputSchema: { text: z.string() } },
    ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  return server;
}
