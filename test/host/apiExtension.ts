import { join } from 'node:path';
import type { McpBridgeApi } from '../../src/api.ts';
import { writeVsix } from './vsix.ts';

/** Id of the extension that uses the API of MCP Bridge. */
export const apiUser = 'mcp-bridge-test.api-user';

/** What it exports: the API as it got it, a way to register with it, and what was asked of its client. */
export interface ApiUser {
  readonly bridge: McpBridgeApi;
  readonly events: string[];
  readonly calls: unknown[];
  /** Registers the server `served` with this entry, and a client `duck`. */
  readonly register: (entry: object) => Promise<void>;
  readonly unregister: () => void;
}

/**
 * Writes the VSIX of an extension that gets the API of MCP Bridge and, when told to, registers a server and a
 * client with it. Resolves with the file.
 */
export async function writeApiExtension(folder: string): Promise<string> {
  const file = join(folder, 'api-user.vsix');
  await writeVsix(file, {
    'package.json': JSON.stringify({
      name: 'api-user',
      displayName: 'API User',
      publisher: 'mcp-bridge-test',
      version: '1.0.0',
      engines: { vscode: '^1.106.0' },
      main: './extension.js',
      activationEvents: ['onStartupFinished'],
      extensionDependencies: ['mcp-bridge.mcp-bridge'],
    }),
    'extension.js': source,
  });
  return file;
}

const source = `
const vscode = require('vscode');
exports.activate = async (context) => {
  const bridge = await vscode.extensions.getExtension('mcp-bridge.mcp-bridge').activate();
  const calls = [];
  const events = [];
  let registered = [];
  bridge.onDidChangeTools(() => events.push('tools'));
  bridge.onDidChangeServers(() => events.push('servers'));
  const tool = (name) => ({
    name,
    description: name + ' of the duck',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  });
  const client = {
    listTools: async () => ({ tools: [tool('quack'), tool('bite'), tool('hidden')] }),
    callTool: async (params) => {
      calls.push(params);
      return { content: [{ type: 'text', text: 'Quack: ' + params.arguments.text }] };
    },
  };
  const extension = context.extension.id;
  return {
    bridge,
    calls,
    events,
    register: async (entry) => {
      registered = [
        await bridge.registerServer({ extension, key: 'served', entry }),
        await bridge.registerClient({
          extension,
          key: 'duck',
          client,
          deny: ['bite'],
          filter: ({ name }) => name !== 'hidden',
          validate: (_tool, { text }) => (text === 'bark' ? 'ducks do not bark' : undefined),
        }),
      ];
    },
    unregister: () => registered.forEach((one) => one.dispose()),
  };
};
`;
