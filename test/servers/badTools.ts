// Lists tools of every wrong form beside two good ones.
import { anyTool, serve } from './jsonRpc.ts';

serve({
  requests: {
    'tools/list': () => ({
      tools: [
        anyTool('first'),
        null,
        'text',
        { description: 'without a name', inputSchema: { type: 'object' } },
        { name: '', inputSchema: { type: 'object' } },
        { name: 'noSchema' },
        { name: 'textSchema', inputSchema: { type: 'string' } },
        { name: 'oddTexts', description: 5, title: null, inputSchema: { type: 'object' } },
        { name: 'oddHints', annotations: { readOnlyHint: 'yes' }, inputSchema: { type: 'object' } },
        anyTool('first'),
        anyTool('last'),
      ],
    }),
  },
});
