import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { referenceServer } from './repository.ts';

const files: Readonly<Record<string, string>> = {
  'welcome.md': `# MCP Bridge demo

Two MCP servers are set up in the user settings: "everything" and "filesystem" (it sees this folder).

1. Open "MCP Bridge" in the activity bar and look at their tools.
2. Open the chat, pick Agent and the model "Scripted" (rules, no language model), and write: echo hello
3. Uncheck a tool in that view, and ask the agent again. Or run the command "MCP Bridge: Open Settings", and change "deny" there.
`,
  'notes/shopping.txt': 'apples\nbread\ncoffee\n',
  'notes/todo.txt': 'water the plants\nwrite to Ada\n',
};

/** The value of `mcpBridge.servers` for the user settings of the demo: two MCP servers. */
export const demoServers = {
  everything: { command: 'node', args: [referenceServer('server-everything'), 'stdio'] },
  filesystem: {
    command: 'node',
    args: [referenceServer('server-filesystem'), '${workspaceFolder}'],
  },
};

/** Makes a temporary folder with a few text files; resolves with its path. The caller removes it. */
export async function createDemoWorkspace(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-bridge-demo-')));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}
