// A well-behaved server: says what it was given, and tells its environment.
import process from 'node:process';
import { RpcError, anyTool, serve, textResult } from './jsonRpc.ts';

serve({
  requests: {
    'tools/list': () => ({ tools: ['echo', 'environment', 'fail', 'refuse'].map(anyTool) }),
    'tools/call': ({ name, arguments: args }) => {
      switch (name) {
        case 'echo':
          return textResult(JSON.stringify(args));
        case 'environment':
          return { content: [], structuredContent: { cwd: process.cwd(), env: process.env } };
        case 'fail':
          return { ...textResult('the disk is full'), isError: true };
        default:
          throw new RpcError(-32_602, 'limit must be <= 100');
      }
    },
  },
});
