// Five tools, two to a page.
import { anyTool, serve } from './jsonRpc.ts';

const names = ['one', 'two', 'three', 'four', 'five'];

serve({
  requests: {
    'tools/list': ({ cursor }) => {
      const start = cursor === undefined ? 0 : Number(cursor);
      const end = start + 2;
      return {
        tools: names.slice(start, end).map(anyTool),
        ...(end < names.length && { nextCursor: String(end) }),
      };
    },
  },
});
