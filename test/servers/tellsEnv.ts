// Tells the digest of its environment variable TOKEN, and writes the value to stderr as careless servers do.
import { createHash } from 'node:crypto';
import process from 'node:process';
import { anyTool, serve, textResult } from './jsonRpc.ts';

const token = process.env['TOKEN'] ?? '';
process.stderr.write(`got ${token}\n`);
serve({
  requests: {
    'tools/list': () => ({ tools: [anyTool('digest')] }),
    'tools/call': () => textResult(createHash('sha256').update(token).digest('hex')),
  },
});
