// A server of the soak over stdio, made with the second generation of the official SDK.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSoakV2 } from './soakServers.ts';

serveStdio(createSoakV2);
