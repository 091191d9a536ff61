// Writes far more to stderr than a pipe holds before it answers anything.
import process from 'node:process';
import { anyTool, serve } from './jsonRpc.ts';

const line = `${'debug '.repeat(20)}\n`;
const lines = 10_000;
await new Promise<void>((resolve) => {
  process.stderr.write(line.repeat(lines), () => resolve());
});
serve({ requests: { 'tools/list': () => ({ tools: [anyTool('quiet')] }) } });
