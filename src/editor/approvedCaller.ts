import type * as vscode from 'vscode';
import { ApprovalLedger, toolIdentity } from '../core/tools/approvalLedger.ts';
import { approvalText, plainName, shownArguments } from '../core/tools/approvalText.ts';
import { confirmVerdict } from '../core/tools/confirmation.ts';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';
import type { TokenBudget } from '../core/results/tokenRoom.ts';
import type { CallProgress, ToolCallOutcome } from '../core/tools/toolCall.ts';
import type { ToolCaller } from '../core/tools/toolCaller.ts';
import { ApprovalDialog, type Answer } from './approvalDialog.ts';
import { showingProgress } from './callProgress.ts';
import { preparedInvocation } from './preparedInvocation.ts';

export interface CallOptions {
  /** The token of the chat that the call comes from, if any: there the editor lets people edit the input in its question. */
  readonly chat?: unknown;
  readonly signal: AbortSignal;
  /** How much text the caller has room for. */
  readonly tokens?: TokenBudget | undefined;
}

/**
 * The way agents' calls take: a call that needs consent goes on to the caller when the editor was told to ask about it (and asked,
 * or has its user's word that it need not), else when the person says so in a dialog of ours.
 */
export class ApprovedCaller {
  readonly #caller: ToolCaller;
  readonly #ledger = new ApprovalLedger(() => performance.now());
  readonly #dialog = new ApprovalDialog();

  constructor(caller: ToolCaller) {
    this.#caller = caller;
  }

  /** What the editor shows for a call and asks before it. `note` is said besides, in the question. */
  prepare(exposedName: string, input: unknown, note?: string): vscode.PreparedToolInvocation {
    const tool = this.#caller.find(exposedName);
    if (typeof tool === 'string') return preparedInvocation(tool);
    const verdict = confirmVerdict(tool);
    if (!verdict.asks) return preparedInvocation(tool);
    const args = shownArguments(tool, input);
    this.#ledger.issue(tool, args);
    return preparedInvocation(tool, approvalText(tool, args, verdict, note));
  }

  /**
   * As `ToolCaller.call`; a refusal is a `failure` outcome that tells the model not to try again.
   */
  async call(
    exposedName: string,
    input: unknown,
    { chat, signal, tokens }: CallOptions,
  ): Promise<ToolCallOutcome> {
    const tool = this.#caller.find(exposedName);
    if (typeof tool !== 'string') {
      const verdict = confirmVerdict(tool);
      const args = shownArguments(tool, input);
      if (
        verdict.asks &&
        !this.#ledger.redeem(tool, args, { mayBeEdited: chat !== undefined && chat !== null })
      ) {
        const answer = await this.#dialog.ask(approvalText(tool, args, verdict), signal);
        if (answer !== 'allowed') return notApproved(tool, answer);
        const now = this.#caller.find(exposedName);
        if (typeof now !== 'string' && toolIdentity(now) !== toolIdentity(tool)) {
          return failure(
            `${called(tool)} was not called: its definition changed while the user was asked. Call it again, so that they are asked about the new one.`,
          );
        }
      }
    }
    const title =
      typeof tool === 'string'
        ? 'Calling an MCP tool'
        : `Calling ${plainName(tool.definition.name)} on ${plainName(tool.configuration.key)}`;
    return showingProgress(title, (onProgress) =>
      this.#caller.call(exposedName, input, signal, { tokens, onProgress }),
    );
  }

  /** As `call`, for a person who has written the arguments and ordered the call: that is the consent. */
  callForPerson(
    exposedName: string,
    input: unknown,
    signal: AbortSignal,
    onProgress: (progress: CallProgress) => void,
  ): Promise<ToolCallOutcome> {
    return this.#caller.call(exposedName, input, signal, { onProgress });
  }
}

function notApproved(tool: CatalogTool, answer: Exclude<Answer, 'allowed'>): ToolCallOutcome {
  const why =
    answer === 'refused'
      ? 'the user did not allow it'
      : 'the user did not answer the question whether it may be';
  return failure(
    `${called(tool)} was not called: ${why}. Do not try again, and do not try to reach the same by other means; ask the user how to go on.`,
  );
}

function called({ exposedName, configuration }: CatalogTool): string {
  return `The tool "${exposedName}" of the MCP server "${configuration.key}"`;
}

function failure(message: string): ToolCallOutcome {
  return { kind: 'failure', code: 'notAllowed', message };
}
