// One tool for each form of result that needs care.
import { anyTool, serve, textResult } from './jsonRpc.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const image = (mimeType: string, data: string) => ({ type: 'image', mimeType, data });

const results: Readonly<Record<string, () => object>> = {
  big: () =>
    textResult(
      `FIRST-MARK\n${'line of log output 0123456789\n'.repeat(175_000)}MIDDLE-MARK\n${'line of log output 0123456789\n'.repeat(175_000)}LAST-MARK`,
    ),
  pages: () => textResult('a line of twenty chars\n'.repeat(1000)),
  svg: () => ({
    content: [image('image/svg+xml', base64('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
  }),
  png: () => ({ content: [{ type: 'text', text: 'A dot:' }, image('image/jpg', png)] }),
  structured: () => ({ content: [], structuredContent: { accounts: [{ id: 1 }], total: 36 } }),
  failed: () => ({ ...textResult('needs admin role'), isError: true, structuredContent: { e: 7 } }),
  hidden: () => textResult('\u001B[32mgreen\u001B[0m user\u202Egpj.exe \u200B👩🏽‍🚀'),
  asks: () => ({
    resultType: 'input_required',
    inputRequests: { who: { method: 'elicitation/create', params: { message: 'Your name?' } } },
  }),
};

serve({
  requests: {
    'tools/list': () => ({
      tools: Object.keys(results).map((name) => ({
        ...anyTool(name),
        ...(name === 'svg' && { outputSchema: { type: 'object' } }),
      })),
    }),
    'tools/call': ({ name }) => results[String(name)]?.() ?? textResult('no such tool'),
  },
});
