// Outlives the end of its input and SIGTERM, and so does a program it starts.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { anyTool, serve } from './jsonRpc.ts';

const stubborn = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";
const child = spawn(process.execPath, ['-e', stubborn], { stdio: 'inherit' });
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1000);

serve({
  requests: {
    'tools/list': () => ({ tools: [anyTool(`child_${child.pid}`)] }),
  },
});
