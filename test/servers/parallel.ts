// Collects calls, then answers all of them in another order; tells what came with them.
import { anyTool, serve, textResult } from './jsonRpc.ts';

const waiting: (() => void)[] = [];
const metas: unknown[] = [];

serve({
  requests: {
    'tools/list': () => ({ tools: ['gather', 'metas'].map(anyTool) }),
    'tools/call': async ({ name, arguments: args, _meta }) => {
      if (name === 'metas') return { content: [], structuredContent: { metas } };
      metas.push(_meta);
      const { of, number } = args as { of: number; number: number };
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === of) shuffled(waiting.splice(0)).forEach((answer) => answer());
      });
      return textResult(`this is ${number}`);
    },
  },
});

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item): [number, T] => [Math.random(), item])
    .toSorted(([left], [right]) => left - right)
    .map(([, item]) => item);
}
