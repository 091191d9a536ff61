// Describes its tools as a file says (name → description), and tells when the file has changed.
import { readFileSync, watchFile } from 'node:fs';
import process from 'node:process';
import { serve, textResult } from './jsonRpc.ts';

const [file = ''] = process.argv.slice(2);

const notify = serve({
  capabilities: { tools: { listChanged: true } },
  requests: {
    'tools/list': () => ({
      tools: Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>).map(
        ([name, description]) => ({ name, description, inputSchema: { type: 'object' } }),
      ),
    }),
    'tools/call': ({ name }) => textResult(name === 'look' ? 'looked' : 'sent'),
  },
});
watchFile(file, { interval: 200 }, () => notify('notifications/tools/list_changed'));
