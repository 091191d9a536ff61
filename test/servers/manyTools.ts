// As many different tools as its first argument says; each answers with its name and arguments.
import process from 'node:process';
import { realisticTools } from '../support/realisticTools.ts';
import { serve, textResult } from './jsonRpc.ts';

const tools = realisticTools(Number(process.argv[2] ?? 300));

serve({
  requests: {
    'tools/list': () => ({ tools }),
    'tools/call': ({ name, arguments: args }) =>
      textResult(`${String(name)} got ${JSON.stringify(args)}`),
  },
});
