// HTTP+SSE, the transport before Streamable HTTP: a POST to the address of the stream is refused.
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { listen, type RunningHttpServer } from './listen.ts';
import { createEcho } from './streamableHttp.ts';

/**
 * `refusal`: HTTP status of the answer to a POST at the address of the stream; 200 answers it with a stream
 * of the older transport, as some servers do that do not look at the method. `onHang`: there is also the
 * tool `hang`, which tells that it is called and never answers.
 */
export async function startLegacySse(
  refusal: number,
  { onHang }: { readonly onHang?: () => void } = {},
): Promise<RunningHttpServer> {
  const transports = new Map<string, SSEServerTransport>();
  return listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && pathname === '/mcp') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      const echo = createEcho();
      if (onHang !== undefined) {
        echo.registerTool('hang', {}, () => {
          // By then its POST has been answered, and only the stream owes something.
          setTimeout(onHang, 200);
          return new Promise<never>(() => undefined);
        });
      }
      echo.connect(transport).catch(() => response.destroy());
      return;
    }
    const transport = transports.get(searchParams.get('sessionId') ?? '');
    if (pathname === '/mcp' && refusal === 200) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages?sessionId=none\n\n');
      return;
    }
    if (pathname !== '/messages' || transport === undefined) {
      response.writeHead(refusal).end();
      return;
    }
    transport.handlePostMessage(request, response).catch(() => response.destroy());
  });
}
