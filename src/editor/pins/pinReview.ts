import * as vscode from 'vscode';
import { definitionText, wrapped } from '../../core/pins/definitionText.ts';
import { instructionsOf } from '../../core/pins/pinProblems.ts';
import { pinOf } from '../../core/pins/toolPin.ts';
import type { ToolDefinition } from '../../core/tools/toolDefinition.ts';
import type { CatalogServer, CatalogTool, ToolCatalog } from '../../core/tools/toolCatalog.ts';
import { visibleText } from '../../core/visibleText.ts';
import { commandIds, definitionScheme } from '../contributionIds.ts';
import { isNode } from '../treeNodes.ts';
import { isReviewed, type Pins } from './pins.ts';

export interface ReviewContext {
  readonly pins: () => Pins | undefined;
  readonly catalog: () => ToolCatalog | undefined;
}

/** What one document of a comparison shows. Without `tool`: what the server says of itself. */
interface Side {
  readonly server: string;
  readonly tool?: string;
  readonly side: 'accepted' | 'now';
  /** Of the definition that is shown. */
  readonly pin?: string;
}

/** Shows definitions as they were accepted and as they are now, and takes the person's decision. */
export class PinReview implements vscode.TextDocumentContentProvider {
  readonly #context: ReviewContext;

  constructor(context: ReviewContext) {
    this.#context = context;
  }

  /** The commands, by id. Those of a row get its node, those of an editor's title its address. */
  get handlers(): Readonly<Record<string, (argument: unknown) => Promise<void>>> {
    return {
      [commandIds.reviewTool]: async (argument) => {
        const tool = this.#tool(argument);
        if (tool !== undefined) await compare(tool.configuration.id, tool.definition);
      },
      [commandIds.reviewInstructions]: async (argument) => {
        const server = this.#server(argument);
        if (server !== undefined) await compare(server.server.configuration.id);
      },
      [commandIds.acceptTool]: (argument) => this.#accept(argument),
      [commandIds.refuseTool]: async (argument) => {
        const tool = this.#tool(argument);
        if (tool === undefined) return;
        await this.#context.pins()?.refuse(tool);
        await closeIfShown(argument);
      },
      [commandIds.acceptAllTools]: async (argument) => {
        const server = this.#server(argument);
        if (server !== undefined) await this.#acceptAll(server);
      },
    };
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { server, tool, side } = readSide(uri) ?? {};
    const found = this.#catalogServer(server);
    const pins = this.#context.pins();
    if (found === undefined || pins === undefined) return 'The server is no longer there.';
    const accepted =
      side === 'accepted' ? await pins.store.texts(found.server.configuration) : undefined;
    if (tool === undefined) {
      const text = accepted === undefined ? instructionsOf(found.server) : accepted.instructions;
      return text === undefined ? notKept : `${wrapped(visibleText(text))}\n`;
    }
    if (accepted !== undefined) {
      const definition = accepted.tools.get(tool);
      if (definition !== undefined) return definitionText(definition);
      const isKnown = pins.store.pinsOf(found.server.configuration)?.tools.has(tool) === true;
      return isKnown ? notKept : '';
    }
    const now = found.tools.find(({ definition }) => definition.name === tool);
    return now === undefined ? 'The tool is no longer there.' : definitionText(now.definition);
  }

  /** Asks, although the person has just pressed a button: agents can run commands of the editor too. */
  async #accept(argument: unknown): Promise<void> {
    const pins = this.#context.pins();
    const tool = this.#tool(argument);
    const server = this.#server(argument);
    if (pins === undefined) return;
    if (tool !== undefined) {
      const seen = readSide(argument)?.pin;
      if (seen !== undefined && pinOf(tool.definition) !== seen) {
        throw new Error('It has changed again while it was shown. Look at it once more.');
      }
      const { key } = tool.configuration;
      const what = `the tool "${tool.definition.name}" of the MCP server "${key}"`;
      if (!(await isConfirmed(what))) return;
      await pins.accept([tool]);
    } else if (server !== undefined) {
      const { key } = server.server.configuration;
      if (!(await isConfirmed(`what the MCP server "${key}" says of itself`))) return;
      await pins.acceptInstructions(server);
    }
    await closeIfShown(argument);
  }

  async #acceptAll(server: CatalogServer): Promise<void> {
    const { key } = server.server.configuration;
    const waiting = server.tools.filter(({ availability }) => isReviewed(availability));
    const names = waiting.map(({ definition }) => definition.name);
    const detail = [...names.slice(0, 30), ...(names.length > 30 ? ['…'] : [])].join('\n');
    const accept = 'Accept All';
    const choice = await vscode.window.showWarningMessage(
      `Accept what the MCP server "${key}" says of its tools now?`,
      { modal: true, detail: detail || 'Only what it says of itself has changed.' },
      accept,
    );
    if (choice === accept) await this.#context.pins()?.acceptAll(server);
  }

  #tool(argument: unknown): CatalogTool | undefined {
    if (isNode(argument, 'tool')) return argument.tool;
    const { server, tool } = readSide(argument) ?? {};
    return this.#catalogServer(server)?.tools.find(({ definition }) => definition.name === tool);
  }

  #server(argument: unknown): CatalogServer | undefined {
    if (isNode(argument, 'server')) return argument.server;
    return this.#catalogServer(readSide(argument)?.server);
  }

  #catalogServer(id: string | undefined): CatalogServer | undefined {
    const servers = this.#context.catalog()?.servers ?? [];
    return servers.find(({ server }) => server.configuration.id === id);
  }
}

async function isConfirmed(what: string): Promise<boolean> {
  const accept = 'Accept';
  const choice = await vscode.window.showWarningMessage(
    `Accept ${what} as it is now?`,
    { modal: true, detail: 'It counts as accepted until it changes again.' },
    accept,
  );
  return choice === accept;
}

const notKept = 'What was accepted is known by its hash only; its text was not kept.';

async function compare(server: string, definition?: ToolDefinition): Promise<void> {
  const tool = definition?.name;
  const side = { server, ...(tool !== undefined && { tool }) };
  const pin = definition && pinOf(definition);
  await vscode.commands.executeCommand(
    'vscode.diff',
    uriOf({ ...side, side: 'accepted' }),
    uriOf({ ...side, side: 'now', ...(pin !== undefined && { pin }) }),
    `${tool ?? 'Instructions'}: accepted ↔ now`,
    { preview: true },
  );
}

async function closeIfShown(argument: unknown): Promise<void> {
  if (!(argument instanceof vscode.Uri)) return;
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
}

function uriOf(side: Side): vscode.Uri {
  const name = (side.tool ?? 'instructions').replace(/[^\w.-]+/g, '_').slice(0, 60);
  // The time makes it another document each time: the editor keeps the text of an address it knows.
  const query = JSON.stringify({ ...side, at: Date.now() });
  return vscode.Uri.from({ scheme: definitionScheme, path: `/${name}.txt`, query });
}

function readSide(argument: unknown): Side | undefined {
  if (!(argument instanceof vscode.Uri) || argument.scheme !== definitionScheme) return undefined;
  const { server, tool, side, pin } = JSON.parse(argument.query) as Partial<Side>;
  if (typeof server !== 'string' || (side !== 'accepted' && side !== 'now')) return undefined;
  return {
    ...{ server, side },
    ...(typeof tool === 'string' && { tool }),
    ...(typeof pin === 'string' && { pin }),
  };
}
