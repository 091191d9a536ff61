// One tool with nested arguments that gives them back, or reports progress and never ends.
import { noAnswer, serve, textResult } from './jsonRpc.ts';

const inputSchema = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', description: 'A name.' },
    size: { enum: ['small', 'large'] },
    wait: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { city: { type: 'string', description: 'Where.' } } },
  },
};

const notify = serve({
  requests: {
    'tools/list': () => ({
      tools: [
        {
          name: 'plan',
          description: 'Plans <b>something</b>.',
          inputSchema,
          annotations: { readOnlyHint: true },
        },
      ],
    }),
    'tools/call': ({ arguments: args }, { progressToken }) => {
      if (!(args as { wait?: boolean }).wait) return textResult(JSON.stringify(args));
      notify('notifications/progress', {
        progressToken,
        progress: 1,
        total: 4,
        message: 'thinking',
      });
      return noAnswer;
    },
  },
});
