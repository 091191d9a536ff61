import * as vscode from 'vscode';
import { splitCommandLine } from '../core/settings/commandLine.ts';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { readSettingsLayers } from './settingsSource.ts';
import { writeServerEntry } from './settingsFile.ts';

interface Choice extends vscode.QuickPickItem {
  readonly ask: () => Promise<ServerEntry | undefined>;
}

interface ServerEntry {
  readonly name: string;
  readonly entry: object;
}

const choices: readonly Choice[] = [
  {
    label: '$(terminal) Program on this machine',
    description: 'stdio',
    detail: 'Started with a command such as "npx -y some-package"',
    ask: askCommand,
  },
  {
    label: '$(globe) Remote server',
    description: 'Streamable HTTP or HTTP+SSE',
    detail: 'Reached at an address such as https://mcp.example.com/mcp',
    ask: askUrl,
  },
  {
    label: '$(beaker) Sample server',
    description: '@modelcontextprotocol/server-everything',
    detail: 'Tools to try things out with; needs Node.js',
    ask: async () => ({
      name: 'everything',
      entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
    }),
  },
];

/** Asks for a server and writes its entry into settings.json. Escape at any point changes nothing. */
export async function addServer(): Promise<void> {
  const choice = await vscode.window.showQuickPick(choices, {
    title: 'Add MCP Server',
    placeHolder: 'What kind of server is it?',
  });
  const asked = await choice?.ask();
  if (asked === undefined) return;
  const origin = await askScope();
  if (origin === undefined) return;
  const taken = takenNames(origin);
  const name = await vscode.window.showInputBox({
    title: 'Add MCP Server',
    prompt: 'Name of the server. The names of its tools begin with it.',
    value: freeName(asked.name, taken),
    validateInput: (value) => nameProblem(value, taken),
  });
  if (name === undefined) return;
  await writeServerEntry(origin, name.trim(), asked.entry);
}

async function askCommand(): Promise<ServerEntry | undefined> {
  const line = await vscode.window.showInputBox({
    title: 'Add MCP Server',
    prompt: 'Command that starts the server, as in a terminal. It is run without a shell.',
    placeHolder: 'npx -y @modelcontextprotocol/server-memory',
    ignoreFocusOut: true,
    validateInput: (value) =>
      (splitCommandLine(value)?.length ?? 0) > 0
        ? undefined
        : 'Write a command; close every quote.',
  });
  const [command, ...args] = splitCommandLine(line ?? '') ?? [];
  if (command === undefined) return undefined;
  const program = args.findLast((argument) => !argument.startsWith('-')) ?? command;
  return { name: nameFrom(program), entry: { command, args } };
}

async function askUrl(): Promise<ServerEntry | undefined> {
  const url = await vscode.window.showInputBox({
    title: 'Add MCP Server',
    prompt: 'Address of the server',
    placeHolder: 'https://mcp.example.com/mcp',
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\/[^\s/]/.test(value.trim()) ? undefined : 'Write an http:// or https:// address.',
  });
  if (url === undefined) return undefined;
  return {
    name: nameFrom(vscode.Uri.parse(url).authority),
    entry: { type: 'http', url: url.trim() },
  };
}

async function askScope(): Promise<ConfigurationOrigin | undefined> {
  if (vscode.workspace.workspaceFolders === undefined) return { scope: 'user' };
  const picked = await vscode.window.showQuickPick(
    [
      { label: 'User settings', description: 'for all your windows', scope: 'user' as const },
      {
        label: 'Workspace settings',
        description: 'for this workspace; can be shared with a team',
        scope: 'workspace' as const,
      },
    ],
    { title: 'Add MCP Server', placeHolder: 'Where should the entry be written?' },
  );
  return picked === undefined ? undefined : { scope: picked.scope };
}

function takenNames({ scope }: ConfigurationOrigin): ReadonlySet<string> {
  const values = readSettingsLayers()
    .filter((layer) => layer.origin.scope === scope)
    .map(({ value }) => value);
  return new Set(values.flatMap((value) => Object.keys(value ?? {})));
}

function nameProblem(value: string, taken: ReadonlySet<string>): string | undefined {
  const name = value.trim();
  if (name === '') return 'A server needs a name.';
  return taken.has(name) ? `There is a server "${name}" already.` : undefined;
}

/** `@scope/server-memory@1.2` → `memory`; `mcp.example.com:80` → `example` */
function nameFrom(text: string): string {
  const last =
    text
      .replace(/(?<=.)@.*$/, '')
      .split(/[/\\]/)
      .at(-1) ?? text;
  const host = /^(?:www\.|mcp\.|api\.)*([^.:]+)/.exec(last)?.[1] ?? last;
  const name = host.replace(/^(mcp-)?server-|-mcp(-server)?$|^mcp-/g, '');
  return name.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || 'server';
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number++) candidate = `${name}-${number}`;
  return candidate;
}
