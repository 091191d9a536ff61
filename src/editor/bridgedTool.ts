import type * as vscode from 'vscode';
import { needsConfirmation } from '../core/tools/confirmation.ts';
import type { ToolCaller } from '../core/tools/toolCaller.ts';
import { withCancellation } from './cancellation.ts';
import { confirmationMessages, shorten } from './confirmationMessages.ts';
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
    const tool = this.#caller.find(this.#name);
    // A tool that is gone answers with the reason; there is nothing to consent to.
    if (typeof tool === 'string') return { invocationMessage: `Calling ${this.#name}` };
    const { configuration, definition } = tool;
    return {
      invocationMessage: `Calling ${shorten(definition.name)} on ${shorten(configuration.key)}`,
      ...(needsConfirmation(configuration.confirm, definition.name, definition.annotations) && {
        confirmationMessages: confirmationMessages(tool),
      }),
    };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    return withCancellation(token, async (signal) =>
      toLanguageModelResult(await this.#caller.call(this.#name, input, signal)),
    );
  }
}
