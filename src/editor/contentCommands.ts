import * as vscode from 'vscode';
import { isJsonObject } from '../base/json.ts';
import { completionValues } from '../core/prompts/completion.ts';
import { promptText } from '../core/prompts/promptText.ts';
import { expandTemplate } from '../core/resources/uriTemplate.ts';
import type { McpServers } from '../core/servers/mcpServers.ts';
import type { CompletionReference } from '../core/servers/serverRequests.ts';
import { askArgument, type Question } from './argumentInput.ts';
import { contentItem } from './contentItems.ts';
import { promptNodes, resourceNodes, type ContentNode } from './contentNodes.ts';
import { commandIds } from './contributionIds.ts';
import type { ResourceFiles } from './resourceFiles.ts';

export interface ContentContext {
  readonly servers: () => McpServers | undefined;
  readonly files: ResourceFiles;
}

type Node<K extends ContentNode['kind']> = Extract<ContentNode, { readonly kind: K }>;

/** The commands on resources and prompts, by id. Without a row as argument they ask which one is meant. */
export function contentHandlers(
  context: ContentContext,
): Readonly<Record<string, (node: unknown) => Promise<void>>> {
  return {
    [commandIds.copyResourceUri]: async (node) => {
      if (isContent(node, 'resource')) await vscode.env.clipboard.writeText(node.resource.uri);
    },
    [commandIds.openResource]: async (given) => {
      const node =
        isContent(given, 'resource') || isContent(given, 'resourceTemplate')
          ? given
          : await pick(context, 'resource', resourceNodes);
      if (isContent(node, 'resource')) await openResource(context, node);
      else if (isContent(node, 'resourceTemplate')) await openTemplate(context, node);
    },
    [commandIds.runPrompt]: (node) => runPrompt(context, node, showInChat),
    [commandIds.runPromptInEditor]: (node) => runPrompt(context, node, showInEditor),
  };
}

async function openResource(
  { files }: ContentContext,
  { configuration, resource }: Node<'resource'>,
): Promise<void> {
  await files.show({ serverId: configuration.id, uri: resource.uri });
}

async function openTemplate(
  context: ContentContext,
  node: Node<'resourceTemplate'>,
): Promise<void> {
  const { configuration, template } = node;
  const values = await askAll(context, {
    serverId: configuration.id,
    title: `Open ${template.title ?? template.name}`,
    reference: { type: 'ref/resource', uri: template.uriTemplate },
    questions: template.variables,
  });
  if (values === undefined) return;
  const uri = expandTemplate(template.uriTemplate, values);
  await context.files.show({ serverId: configuration.id, uri });
}

async function runPrompt(
  context: ContentContext,
  given: unknown,
  show: (text: string) => Promise<void>,
): Promise<void> {
  const node = isContent(given, 'prompt') ? given : await pick(context, 'prompt', promptNodes);
  const servers = context.servers();
  if (!isContent(node, 'prompt') || servers === undefined) return;
  const { configuration, prompt } = node;
  const name = prompt.title ?? prompt.name;
  const values = await askAll(context, {
    serverId: configuration.id,
    title: `Run ${name}`,
    reference: { type: 'ref/prompt', name: prompt.name },
    questions: prompt.arguments,
  });
  if (values === undefined) return;
  const answer = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: `Getting the prompt ${name}` },
    () =>
      servers.getPrompt({
        serverId: configuration.id,
        prompt: prompt.name,
        arguments: values,
        signal: new AbortController().signal,
      }),
  );
  if (answer.kind === 'failure') throw new Error(answer.message);
  const text = promptText(answer.result);
  if (text !== '') await show(text);
  else void vscode.window.showWarningMessage(`The prompt "${name}" came without any text.`);
}

/** Puts the text into the chat's input, where the person reads, changes and sends it. */
async function showInChat(text: string): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  // An editor without a chat has another place for it.
  if (!commands.includes(openChat)) return showInEditor(text);
  await vscode.commands.executeCommand(openChat, { query: text, isPartialQuery: true });
}

const openChat = 'workbench.action.chat.open';

async function showInEditor(text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: text });
  await vscode.window.showTextDocument(document);
}

interface Form {
  readonly serverId: string;
  readonly title: string;
  readonly reference: CompletionReference;
  readonly questions: readonly Question['argument'][];
}

/** The values of all arguments that were not left empty; `undefined` when the person gave up. */
async function askAll(
  { servers }: ContentContext,
  { serverId, title, reference, questions }: Form,
): Promise<ReadonlyMap<string, string> | undefined> {
  const known = new Map<string, string>();
  for (const [index, argument] of questions.entries()) {
    const value = await askArgument({
      title,
      step: index + 1,
      totalSteps: questions.length,
      argument,
      suggest: async (typed, signal) => {
        const request = {
          serverId,
          reference,
          argument: argument.name,
          value: typed,
          known,
          signal,
        };
        const answer = await servers()?.complete(request);
        return answer?.kind === 'answer' ? completionValues(answer.result) : [];
      },
    });
    if (value === undefined) return undefined;
    if (value !== '') known.set(argument.name, value);
  }
  return known;
}

/** Lets the person choose among those of all servers. */
async function pick(
  { servers }: ContentContext,
  what: string,
  nodesOf: typeof promptNodes,
): Promise<ContentNode | undefined> {
  const nodes = servers()?.servers.flatMap((server) => nodesOf(server)) ?? [];
  if (nodes.length === 0) {
    void vscode.window.showInformationMessage(`No MCP server has a ${what} now.`);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    nodes.map((node) => ({ ...labels(node), node })),
    { placeHolder: `Which ${what}?`, matchOnDescription: true, matchOnDetail: true },
  );
  return picked?.node;
}

function labels(node: ContentNode): vscode.QuickPickItem {
  const { label, description } = contentItem(node);
  const key = 'configuration' in node ? node.configuration.key : node.server.configuration.key;
  const text = typeof label === 'string' ? label : '';
  const detail = typeof description === 'string' ? description : '';
  return { label: text.replace(/\$\([\w~-]+\)/g, '\\$&'), description: key, detail };
}

function isContent<K extends ContentNode['kind']>(value: unknown, kind: K): value is Node<K> {
  return isJsonObject(value) && value['kind'] === kind;
}
