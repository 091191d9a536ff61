// Gets more tools when asked to, and tells.
import { anyTool, serve, textResult } from './jsonRpc.ts';

const tools = [anyTool('grow')];
let reads = 0;

const notify = serve({
  capabilities: { tools: { listChanged: true } },
  requests: {
    'tools/list': () => {
      reads += 1;
      return { tools };
    },
    'tools/call': ({ arguments: args }) => {
      const { times } = args as { times: number };
      for (let round = 0; round < times; round++) {
        tools.push(anyTool(`extra_${tools.length}`));
        notify('notifications/tools/list_changed');
      }
      return textResult(String(reads));
    },
  },
});
