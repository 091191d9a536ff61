import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { execute, soakToolNames } from './soakTools.ts';

const shape = { id: z.number() };

/** A server of the soak, made with the first generation of the official SDK. */
export function createSoakV1(): McpServerV1 {
  const server = new McpServerV1({ name: 'soak', version: '1.0.0' });
  for (const name of soakToolNames) {
    server.registerTool(
      name,
      { inputSchema: shape },
      ({ id }, { signal, _meta, sendNotification }) =>
        execute(name, id, {
          signal,
          changeTools,
          progress: async (progress) => {
            const progressToken = _meta?.progressToken;
            if (progressToken === undefined) return;
            const params = { progressToken, progress };
            await sendNotification({ method: 'notifications/progress', params });
          },
        }),
    );
  }
  const extra = server.registerTool('extra', {}, () => ({ content: [] }));
  const changeTools = (): void => (extra.enabled ? extra.disable() : extra.enable());
  return server;
}

/** A server of the soak, made with the second generation of the official SDK. */
export function createSoakV2(): McpServerV2 {
  const server = new McpServerV2({ name: 'soak', version: '2.0.0' });
  for (const name of soakToolNames) {
    server.registerTool(name, { inputSchema: z.object(shape) }, ({ id }, { mcpReq }) =>
      execute(name, id, {
        signal: mcpReq.signal,
        changeTools,
        progress: async (progress) => {
          const progressToken = mcpReq._meta?.progressToken;
          if (progressToken === undefined) return;
          const params = { progressToken, progress };
          await mcpReq.notify({ method: 'notifications/progress', params });
        },
      }),
    );
  }
  const extra = server.registerTool('extra', {}, () => ({ content: [] }));
  const changeTools = (): void => (extra.enabled ? extra.disable() : extra.enable());
  return server;
}
