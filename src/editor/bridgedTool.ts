import type * as vscode from 'vscode';
import type { ToolCaller } from '../core/tools/toolCaller.ts';
import { withCancellation } from './cancellation.ts';
import { preparedInvocation } from './preparedInvocation.ts';
import { toLanguageModelResult } from './resultParts.ts';

/** One tool of an MCP server as the editor calls it. Looks the tool up anew each time, by its exposed name. */
export class BridgedTool implements vscode.LanguageModelTool<object> {
  readonly #name: string;
  readonly #caller: ToolCaller;

  constructor(exposedName: string, caller: ToolCaller) {
    this.#name = exposedName;
    this.#caller = caller;
  }

  prepareInvocation(): vscode.PreparedToolInvocation {
    return preparedInvocation(this.#caller.find(this.#name));
  }

  async invoke(
    { input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    return withCancellation(token, async (signal) =>
      toLanguageModelResult(
        await this.#caller.call(this.#name, input, signal, tokenizationOptions),
      ),
    );
  }
}
