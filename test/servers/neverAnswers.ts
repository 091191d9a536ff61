// Leaves requests open: those of the methods in its arguments, or all of them.
import process from 'node:process';
import { anyTool, noAnswer, serve } from './jsonRpc.ts';

const silent = process.argv.slice(2);
const open = (silent.length > 0 ? silent : ['initialize']).map(
  (method) => [method, () => noAnswer] as const,
);
process.stderr.write('waiting for a licence server\n');
serve({
  requests: {
    'tools/list': () => ({ tools: [anyTool('wait')] }),
    ...Object.fromEntries(open),
  },
});
