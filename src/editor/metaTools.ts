import * as vscode from 'vscode';
import { isJsonObject } from '../base/json.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';
import type { ApprovedCaller } from './approvedCaller.ts';
import { withCancellation } from './cancellation.ts';
import { preparedInvocation } from './preparedInvocation.ts';
import { toLanguageModelResult } from './resultParts.ts';

const defaultLimit = 5;
/** The editor remembers approvals by the name of the tool it sees, which is the meta-tool's. */
const approvalNote =
  'If you allow more than this one call, that counts for every tool an agent calls this way.';

/** What the meta-tools work on; nothing while no server is configured. */
export interface MetaToolSource {
  readonly catalog: ToolCatalog;
  readonly caller: ApprovedCaller;
}

/** `mcp_bridge_find_tools`: words → the tools that fit best, each with its input schema. */
export class FindToolsTool implements vscode.LanguageModelTool<object> {
  readonly #source: () => MetaToolSource | undefined;

  constructor(source: () => MetaToolSource | undefined) {
    this.#source = source;
  }

  prepareInvocation(): vscode.PreparedToolInvocation {
    return { invocationMessage: 'Searching the tools of the MCP servers' };
  }

  async invoke({
    input,
  }: vscode.LanguageModelToolInvocationOptions<object>): Promise<vscode.LanguageModelToolResult> {
    const { query, limit } = isJsonObject(input) ? input : {};
    if (typeof query !== 'string' || query.trim() === '') {
      return text('Error: "query" must say in a few words what the tool should do.');
    }
    const source = this.#source();
    if (source === undefined || source.catalog.tools.size === 0) {
      return text(
        'No MCP server has tools in this window. Tell the user to look at the MCP Bridge view.',
      );
    }
    const { findTools, foundText } = await import('../core/tools/findTools.ts');
    const found = findTools(
      source.catalog,
      query,
      typeof limit === 'number' ? limit : defaultLimit,
    );
    if (found.tools.length === 0) {
      const servers = source.catalog.servers.map(({ server }) => server.configuration.key);
      return text(`No tool fits "${query.slice(0, 200)}". The servers are: ${servers.join(', ')}.`);
    }
    return text(foundText(found));
  }
}

/** `mcp_bridge_call_tool`: calls any tool that may be called, on the same path as a registered one. */
export class CallToolTool implements vscode.LanguageModelTool<object> {
  readonly #source: () => MetaToolSource | undefined;

  constructor(source: () => MetaToolSource | undefined) {
    this.#source = source;
  }

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<object>): vscode.PreparedToolInvocation {
    const { name, args } = readCall(input);
    return this.#source()?.caller.prepare(name, args, approvalNote) ?? preparedInvocation('');
  }

  async invoke(
    {
      input,
      toolInvocationToken,
      tokenizationOptions,
    }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const source = this.#source();
    if (source === undefined) return text('Error: No MCP server is configured in this window.');
    const { name, args } = readCall(input);
    return withCancellation(token, async (signal) =>
      toLanguageModelResult(
        await source.caller.call(name, args, {
          chat: toolInvocationToken,
          signal,
          tokens: tokenizationOptions,
        }),
      ),
    );
  }
}

function readCall(input: unknown): { name: string; args: unknown } {
  const { name, arguments: args } = isJsonObject(input) ? input : {};
  return { name: typeof name === 'string' ? name : '', args: args ?? {} };
}

function text(content: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(content)]);
}
