import type { JsonObject, JsonValue } from '../../../src/base/json.ts';

/** What a fake server answers: one member of a JSON-RPC response. */
export type Answer = { readonly result: JsonValue } | { readonly error: JsonObject };

const olderVersions = new Set(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18']);
const version = '2025-11-25';

export const echoTool: JsonObject = {
  name: 'echo',
  inputSchema: { type: 'object', properties: {} },
};

/** What a fake server answers to a request that its script says nothing about. */
export function defaultAnswer(method: string, params: JsonObject): Answer {
  switch (method) {
    case 'initialize': {
      const asked = params['protocolVersion'];
      return {
        result: {
          protocolVersion: typeof asked === 'string' && olderVersions.has(asked) ? asked : version,
          capabilities: { tools: {} },
          serverInfo: { name: 'fake', version: '0' },
        },
      };
    }
    case 'tools/list':
      return { result: { tools: [echoTool] } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'ok' }] } };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: -32_601, message: `Method not found: ${method}` } };
  }
}
