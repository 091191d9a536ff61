// Writes its messages byte by byte.
import { writeSync } from 'node:fs';
import { anyTool, serve, textResult } from './jsonRpc.ts';

serve({
  requests: {
    'tools/list': () => ({ tools: [anyTool('größe')] }),
    'tools/call': () => textResult('naïve 🎉 日本語'),
  },
  write: (message) => {
    for (const byte of Buffer.from(`${message}\n`)) writeSync(1, Uint8Array.of(byte));
  },
});
