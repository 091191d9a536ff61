// `npm run package`: builds dist/mcp-bridge.vsix.
import { stat } from 'node:fs/promises';
import { packageExtension } from './host/vsix.ts';

const file = await packageExtension();
console.log(`${file}: ${((await stat(file)).size / 1024).toFixed(1)} KB`);
