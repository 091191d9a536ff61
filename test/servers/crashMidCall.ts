// Ends in the middle of a call.
import process from 'node:process';
import { anyTool, noAnswer, serve } from './jsonRpc.ts';

serve({
  requests: {
    'tools/list': () => ({ tools: [anyTool('crash')] }),
    'tools/call': () => {
      process.stderr.write('segmentation fault, more or less\n');
      process.exitCode = 7;
      process.stdin.destroy();
      return noAnswer;
    },
  },
});
