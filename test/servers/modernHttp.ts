// Streamable HTTP made with the second generation of the official SDK: revision 2026-07-28 without sessions, older ones too.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  McpServer,
  acceptedContent,
  createMcpHandler,
  inputRequired,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listen, type RunningHttpServer } from './listen.ts';

export async function startModernHttp(create = createAsking): Promise<RunningHttpServer> {
  const handler = createMcpHandler(create);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const result = await handler.fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(result.status, Object.fromEntries(result.headers));
    if (result.body === null) response.end();
    else await pipeline(Readable.fromWeb(result.body as ReadableStream), response);
  };
  return listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
}

/** A server with the tool `echo`, which asks for what it shall say when it was told nothing. */
function createAsking(): McpServer {
  const server = new McpServer(
    { name: 'modern', version: '2.0.0' },
    { capabilities: { tools: {} } },
  );
  server.registerTool(
    'echo',
    { description: 'Says it again.', inputSchema: z.object({ text: z.string() }) },
    // Without a text it asks for one.
    ({ text }, { mcpReq: { inputResponses } }) => {
      const answer = acceptedContent(inputResponses, 'text', z.object({ text: z.string() }));
      const said = text || answer?.text;
      if (said !== undefined || inputResponses !== undefined) {
        return { content: [{ type: 'text', text: said ?? 'nothing to say' }] };
      }
      const requestedSchema = {
        type: 'object',
        properties: { text: { type: 'string' } },
      } as const;
      const question = inputRequired.elicit({ message: 'Which text?', requestedSchema });
      return inputRequired({ inputRequests: { text: question }, requestState: 'opaque' });
    },
  );
  return server;
}
