import type * as vscode from 'vscode';
import type { ApprovedCaller } from './approvedCaller.ts';
import { withCancellation } from './cancellation.ts';
import { toLanguageModelResult } from './resultParts.ts';

/** One tool of an MCP server as the editor calls it. Looks the tool up anew each time, by its exposed name. */
export class BridgedTool implements vscode.LanguageModelTool<object> {
  readonly #name: string;
  readonly #caller: ApprovedCaller;

  constructor(exposedName: string, caller: ApprovedCaller) {
    this.#name = exposedName;
    this.#caller = caller;
  }

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<object>): vscode.PreparedToolInvocation {
    return this.#caller.prepare(this.#name, input);
  }

  async invoke(
    {
      input,
      toolInvocationToken,
      tokenizationOptions,
    }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    return withCancellation(token, async (signal) =>
      toLanguageModelResult(
        await this.#caller.call(this.#name, input, {
          chat: toolInvocationToken,
          signal,
          tokens: tokenizationOptions,
        }),
      ),
    );
  }
}
