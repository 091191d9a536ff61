import { readFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Turn } from './agent.ts';
import type { EditorWindow } from './editorWindow.ts';
import { dialogText, pressInDialog } from './modalDialog.ts';
import { inRepository, pinnedNode, referenceServer } from './repository.ts';
import type { OfferedTool } from './scriptedModel.ts';

/** Entry of `mcpBridge.servers` for an npm package of this repository that is a stdio server. */
export function npmServer(name: string, ...args: string[]): { command: string; args: string[] } {
  return { command: pinnedNode, args: [referenceServer(name), ...args] };
}

/** Entry for one of the test servers in test/servers. */
export function testServer(name: string, ...args: string[]): { command: string; args: string[] } {
  return { command: pinnedNode, args: [inRepository('test', 'servers', `${name}.ts`), ...args] };
}

/** A folder with settings of its own; disposing it removes it. */
export class Workspace implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(servers?: Readonly<Record<string, unknown>>): Promise<Workspace> {
    const workspace = new Workspace(await mkdtemp(join(tmpdir(), 'mcp-bridge-workspace-')));
    await mkdir(join(workspace.folder, '.vscode'));
    if (servers !== undefined) await workspace.setServers(servers);
    return workspace;
  }

  /** Writes `.vscode/settings.json` on disk, as an editor outside would. */
  async setServers(servers: Readonly<Record<string, unknown>>): Promise<void> {
    await writeFile(this.#settingsFile, JSON.stringify({ 'mcpBridge.servers': servers }, null, 2));
  }

  readSettings(): Promise<string> {
    return readFile(this.#settingsFile, 'utf8');
  }

  get #settingsFile(): string {
    return join(this.folder, '.vscode', 'settings.json');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Waits until the sidebar has the row of a server: settings on disk are noticed with a delay. */
export async function knownServer(window: EditorWindow, server: string): Promise<void> {
  await openServersView(window);
  await rowWhen(window, server);
}

/** Starts a server of the workspace's settings as a person does, who reads the question and approves the launch. */
export async function approveLaunch(window: EditorWindow, server: string): Promise<void> {
  const started = window.run('mcpBridge.startServer', server);
  const question = await dialogText(window);
  if (!question.includes(`"${server}"`)) throw new Error(`Another question: ${question}`);
  await pressInDialog(window, 'Approve');
  await started;
}

/** Waits until the window has an implementation for the tool, and gives what the editor knows of it. */
export function registeredTool(window: EditorWindow, name: string): Promise<OfferedTool> {
  return window.waitFor(
    { what: `the tool ${name}`, timeoutMs: 30_000 },
    (vscode, wanted: string) => {
      const tool = vscode.lm.tools.find((candidate) => candidate.name === wanted);
      return (
        tool && {
          name: tool.name,
          description: tool.description,
          inputSchema: tool.inputSchema as never,
        }
      );
    },
    name,
  );
}

/**
 * Runs a tool outside the chat and gives the text of its result. A server that changes its list, as some do right
 * after the handshake, takes its tools away for the moment in which they are declared anew: then it is tried again.
 */
export function invokeTool(window: EditorWindow, name: string, input: object): Promise<string> {
  return window.evaluate(
    async (vscode, tool: string, args: object) => {
      const invoke = () =>
        vscode.lm.invokeTool(tool, { input: args, toolInvocationToken: undefined });
      const result = await invoke().then(undefined, async (error: unknown) => {
        if (!String(error).includes('was not contributed')) throw error;
        await new Promise((resolve) => setTimeout(resolve, 2000));
        return invoke();
      });
      return result.content
        .map((part) => {
          if (part instanceof vscode.LanguageModelTextPart) return part.value;
          return part instanceof vscode.LanguageModelDataPart ? `[${part.mimeType}]` : '[?]';
        })
        .join('\n');
    },
    name,
    input,
  );
}

/** The tools that the agent's next request offers to the model. */
export async function toolsOffered(agent: Agent): Promise<Map<string, OfferedTool>> {
  const turn = await agent.ask('What can you do?', { answers: [[{ text: 'Things.' }]] });
  return offeredIn(turn);
}

export function offeredIn({ requests }: Turn): Map<string, OfferedTool> {
  const [request] = requests;
  if (request === undefined) throw new Error('The agent made no request.');
  return new Map(request.tools.map((tool) => [tool.name, tool]));
}

/** Asks the agent until its request fulfils the condition: settings on disk are noticed with a delay. */
export async function toolsOfferedWhen(
  agent: Agent,
  condition: (names: ReadonlySet<string>) => boolean,
): Promise<Set<string>> {
  const deadline = Date.now() + 40_000;
  for (;;) {
    const names = new Set((await toolsOffered(agent)).keys());
    if (condition(names)) return names;
    if (Date.now() > deadline) {
      throw new Error(
        `The agent never got the tools expected. Last offered: ${[...names].join(', ')}`,
      );
    }
  }
}

/** One visible row of the servers view. */
export interface Row {
  readonly label: string;
  readonly description: string;
  readonly color: string;
}

/** Shows the servers view and opens every row that can be opened. */
export async function openServersView(window: EditorWindow): Promise<void> {
  await window.run('mcpBridge.servers.focus');
}

/** The rows the servers view shows now. */
function visibleRows(window: EditorWindow): Promise<Row[]> {
  return window.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.custom-view-tree-node-item')]
      .filter((row) => row.getClientRects().length > 0)
      .map((row) => {
        const name = row.querySelector<HTMLElement>('.label-name');
        return {
          label: name?.innerText ?? '',
          description: row.querySelector<HTMLElement>('.label-description')?.innerText ?? '',
          color: name === null ? '' : getComputedStyle(name).color,
        };
      }),
  );
}

/** Waits until a row with that label fulfils the condition. */
export async function rowWhen(
  window: EditorWindow,
  label: string | RegExp,
  condition: (row: Row) => boolean = () => true,
  timeoutMs = 20_000,
): Promise<Row> {
  const deadline = Date.now() + timeoutMs;
  let rows: Row[] = [];
  do {
    rows = await visibleRows(window);
    const row = rows.find((candidate) =>
      typeof label === 'string' ? candidate.label === label : label.test(candidate.label),
    );
    if (row !== undefined && condition(row)) return row;
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (Date.now() < deadline);
  throw new Error(`No such row ${String(label)}. The view shows: ${JSON.stringify(rows)}`);
}

/** Opens the row of a server, so that its tools show. */
export async function expandRow(window: EditorWindow, label: string): Promise<void> {
  const row = window.page.locator('.monaco-list-row', {
    has: window.page.locator('.custom-view-tree-node-item .label-name', {
      hasText: new RegExp(`^${label}$`),
    }),
  });
  const deadline = Date.now() + 10_000;
  while ((await row.getAttribute('aria-expanded', { timeout: 5_000 })) !== 'true') {
    if (Date.now() > deadline) throw new Error(`The row "${label}" cannot be opened.`);
    // A row that is drawn anew under the mouse loses the click.
    await row
      .locator('.monaco-tl-twistie')
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
