// node labelled.ts LABEL TOOL…: its tools carry the label in description and answer; `START_DELAY` milliseconds late.
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { serve, textResult } from './jsonRpc.ts';

const [, , label = '', ...tools] = process.argv;
await delay(Number(process.env['START_DELAY'] ?? 0));
serve({
  requests: {
    'tools/list': () => ({
      tools: tools.map((name) => ({
        name,
        description: `${name} of ${label}`,
        inputSchema: { type: 'object', properties: { [label]: { type: 'string' } } },
      })),
    }),
    'tools/call': ({ name }) =>
      textResult(`${String(name)} ran on ${label}, process ${process.pid}`),
  },
});
