// Ends with its input, as it should, but leaves a program behind that it started.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { anyTool, serve } from './jsonRpc.ts';

spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000);'], { stdio: 'ignore' }).unref();
process.stdin.on('end', () => {
  process.exitCode = 0;
});

serve({
  requests: {
    'tools/list': () => ({ tools: [anyTool('any')] }),
  },
});
