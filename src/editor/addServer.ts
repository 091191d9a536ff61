import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { splitCommandLine } from '../core/settings/commandLine.ts';
import { serversInText } from '../core/settings/pastedServers.ts';
import { serverId, type ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { readSettingsLayers } from './settingsSource.ts';
import { writeSettings } from './settingsFile.ts';

interface Choice extends vscode.QuickPickItem {
  readonly ask: () => Promise<Addition | undefined>;
}

interface Addition {
  readonly servers: readonly ServerEntry[];
  /** Entries of `mcpBridge.inputs` that came with them. */
  readonly inputs?: readonly unknown[];
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
    label: '$(clippy) From the clipboard',
    description: 'mcp.json, or the configuration of another client',
    detail: 'Copy the JSON of one or more servers first',
    ask: askClipboard,
  },
  {
    label: '$(beaker) Sample server',
    description: '@modelcontextprotocol/server-everything',
    detail: 'Tools to try things out with; needs Node.js',
    ask: async () =>
      addition('everything', {
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-everything'],
      }),
  },
];

/**
 * Asks for a server and writes its entry into settings.json. Escape at any point changes nothing. `added` gets the ids of entries
 * before they are written.
 */
export async function addServer(added: (ids: readonly string[]) => void): Promise<void> {
  const choice = await vscode.window.showQuickPick(choices, {
    title: 'Add MCP Server',
    placeHolder: 'What kind of server is it?',
  });
  const asked = await choice?.ask();
  if (asked === undefined) return;
  const origin = await askScope();
  if (origin === undefined) return;
  const servers = await named(asked.servers, takenNames(origin));
  if (servers === undefined) return;
  added([...servers.keys()].map((key) => serverId(key, origin)));
  await writeSettings(origin, { servers, inputs: asked.inputs ?? [] });
}

/** A single server is given a name by the person, several keep theirs. */
async function named(
  servers: readonly ServerEntry[],
  taken: ReadonlySet<string>,
): Promise<ReadonlyMap<string, object> | undefined> {
  const [first, ...others] = servers;
  if (first === undefined) return undefined;
  if (others.length > 0) {
    return new Map(servers.map(({ name, entry }) => [freeName(name, taken), entry]));
  }
  const name = await vscode.window.showInputBox({
    title: 'Add MCP Server',
    prompt: 'Name of the server. The names of its tools begin with it.',
    value: freeName(first.name, taken),
    validateInput: (value) => nameProblem(value, taken),
  });
  return name === undefined ? undefined : new Map([[name.trim(), first.entry]]);
}

async function askClipboard(): Promise<Addition | undefined> {
  const found = serversInText(await vscode.env.clipboard.readText());
  const entries = Object.entries(found?.servers ?? {}).filter(([, entry]) => isJsonObject(entry));
  if (found === undefined || entries.length === 0) {
    throw new Error('There are no servers in the clipboard. Copy their JSON first.');
  }
  const items = entries.map(([name, entry]) => ({
    ...{ label: name, name, entry: entry as object, picked: true },
    description: launchText(entry as JsonObject),
  }));
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) return { ...found, servers: [only] };
  const servers = await vscode.window.showQuickPick(items, {
    title: 'Add MCP Server',
    placeHolder: 'Which of them?',
    canPickMany: true,
  });
  return servers && { ...found, servers };
}

/** The beginning of what an entry starts or connects to. */
function launchText({ command, url }: JsonObject): string {
  return [command, url].find((value) => typeof value === 'string')?.slice(0, 80) ?? '';
}

function addition(name: string, entry: object): Addition {
  return { servers: [{ name, entry }] };
}

async function askCommand(): Promise<Addition | undefined> {
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
  return addition(nameFrom(program), { command, args });
}

async function askUrl(): Promise<Addition | undefined> {
  const url = await vscode.window.showInputBox({
    title: 'Add MCP Server',
    prompt: 'Address of the server',
    placeHolder: 'https://mcp.example.com/mcp',
    ignoreFocusOut: true,
    validateInput: (value) =>
      /^https?:\/\/[^\s/]/.test(value.trim()) ? undefined : 'Write an http:// or https:// address.',
  });
  if (url === undefined) return undefined;
  return addition(nameFrom(vscode.Uri.parse(url).authority), { type: 'http', url: url.trim() });
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
