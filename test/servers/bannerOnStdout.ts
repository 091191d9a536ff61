// Mixes other text into its messages.
import process from 'node:process';
import { anyTool, serve } from './jsonRpc.ts';

const banner = [
  'Listening …',
  '',
  '{"level":"info","message":"a log line in JSON"}',
  '[1, 2]',
  '{ broken',
];
process.stdout.write(`${banner.join('\n')}\n`);
serve({
  requests: { 'tools/list': () => ({ tools: [anyTool('tidy')] }) },
  write: (message) => process.stdout.write(`> sending\n\uFEFF  ${message} \r\n`),
});
