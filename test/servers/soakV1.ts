// A server of the soak over stdio, made with the first generation of the official SDK.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createSoakV1 } from './soakServers.ts';

await createSoakV1().connect(new StdioServerTransport());
