// Takes its time, with progress or without, and remembers what was cancelled.
import { setTimeout as pause } from 'node:timers/promises';
import { anyTool, noAnswer, serve, textResult, type Params } from './jsonRpc.ts';

const cancelled: Params[] = [];
let open: number | string | undefined;

const notify = serve({
  requests: {
    'tools/list': () => ({ tools: ['progress', 'silent', 'cancelled'].map(anyTool) }),
    'tools/call': async ({ name, arguments: args }, { id, progressToken }) => {
      if (name === 'cancelled') return { content: [], structuredContent: { cancelled, open } };
      open = id;
      if (name === 'silent') return noAnswer;
      const { steps, interval } = args as { steps: number; interval: number };
      for (let progress = 1; progress <= steps; progress++) {
        await pause(interval);
        notify('notifications/progress', { progressToken, progress, total: steps });
      }
      return textResult(`took ${steps} steps`);
    },
  },
  notifications: {
    'notifications/cancelled': (params) => {
      cancelled.push(params);
    },
  },
});
