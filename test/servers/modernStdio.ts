// Speaks only revision 2026-07-28: no `initialize`, and every result says that it is complete.
import { RpcError, serve, textResult } from './jsonRpc.ts';

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

serve({
  requests: {
    initialize: () => {
      throw new RpcError(-32_022, 'Unsupported protocol version');
    },
    'server/discover': () => ({
      ...complete,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1' } },
    }),
    'tools/list': () => ({
      ...complete,
      tools: [
        { name: 'echo', inputSchema: { type: 'object' } },
        { name: 'bad', inputSchema: 5 },
      ],
    }),
    'tools/call': () => ({ resultType: 'complete', ...textResult('ok') }),
  },
});
