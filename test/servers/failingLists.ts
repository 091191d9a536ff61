// Has tools, but fails to list its resources and prompts.
import { RpcError, anyTool, serve } from './jsonRpc.ts';

const fail = (): never => {
  throw new RpcError(-32_603, 'no disk');
};

serve({
  capabilities: { tools: {}, resources: {}, prompts: {} },
  requests: {
    'tools/list': () => ({ tools: [anyTool('works')] }),
    'resources/list': fail,
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'prompts/list': fail,
  },
});
