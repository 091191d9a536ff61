// Says that it has resources and prompts, but knows no method for their lists; reading one never ends.
import { noAnswer, serve } from './jsonRpc.ts';

serve({
  capabilities: { tools: {}, resources: {}, prompts: {} },
  requests: { 'tools/list': () => ({ tools: [] }), 'resources/read': () => noAnswer },
});
