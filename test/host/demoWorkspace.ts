import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { referenceServer } from './repository.ts';

const files: Readonly<Record<string, string>> = {
  'welcome.md': `# MCP Bridge demo

Two MCP servers are set up in .vscode/settings.json: "everything" and "filesystem" (it sees this folder).

1. Open "MCP Bridge" in the activity bar and look at their tools.
2. Open the chat, pick Agent and the model "Scripted" (rules, no language model), and write: echo hello
3. Change .vscode/settings.json, for example add "deny": ["echo"] to "everything", and look again.
`,
  'notes/shopping.txt': 'apples\nbread\ncoffee\n',
  'notes/todo.txt': 'water the plants\nwrite to Ada\n',
};

/** Makes a temporary folder with a few text files and two MCP servers in its settings; resolves with its path. The caller removes it. */
export async function createDemoWorkspace(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-bridge-demo-')));
  const servers = {
    everything: { command: 'node', args: [referenceServer('server-everything'), 'stdio'] },
    filesystem: {
      command: 'node',
      args: [referenceServer('server-filesystem'), '${workspaceFolder}'],
    },
  };
  const settings = `${JSON.stringify({ 'mcpBridge.servers': servers }, null, 2)}\n`;
  for (const [path, content] of Object.entries({ ...files, '.vscode/settings.json': settings })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}
