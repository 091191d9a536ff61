import type * as vscode from 'vscode';
import type { AuditCall, AuditPort } from '../core/audit/auditPort.ts';
import { ApprovalLedger, toolIdentity } from '../core/tools/approvalLedger.ts';
import {
  verdictForArguments,
  withoutSecrets,
  type SecretKnowledge,
} from '../core/tools/argumentSecrets.ts';
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
  readonly #audit: AuditPort;
  readonly #secrets: SecretKnowledge;
  readonly #ledger = new ApprovalLedger(() => performance.now());
  readonly #dialog = new ApprovalDialog();

  constructor(caller: ToolCaller, audit: AuditPort, secrets: SecretKnowledge) {
    this.#caller = caller;
    this.#secrets = secrets;
    this.#audit = audit;
  }

  /** What the editor shows for a call and asks before it. `note` is said besides, in the question. */
  prepare(exposedName: string, input: unknown, note?: string): vscode.PreparedToolInvocation {
    const tool = this.#caller.find(exposedName);
    if (typeof tool === 'string') return preparedInvocation(tool);
    const args = shownArguments(tool, input);
    const verdict = verdictForArguments(confirmVerdict(tool), args, this.#secrets);
    if (!verdict.asks) return preparedInvocation(tool);
    this.#ledger.issue(tool, args);
    const shown = withoutSecrets(args, this.#secrets);
    return preparedInvocation(tool, approvalText(tool, shown, verdict, note));
  }

  /**
   * As `ToolCaller.call`; a refusal is a `failure` outcome that tells the model not to try again. Each call is in the audit log.
   */
  async call(
    exposedName: string,
    input: unknown,
    { chat, signal, tokens }: CallOptions,
  ): Promise<ToolCallOutcome> {
    const tool = this.#caller.find(exposedName);
    const isFromChat = chat !== undefined && chat !== null;
    const askedAt = performance.now();
    const consent =
      typeof tool === 'string' ? 'none' : await this.#consent(tool, input, isFromChat, signal);
    if (typeof consent !== 'string') {
      const result = { outcome: 'failure', code: consent.outcome.code } as const;
      this.#record(exposedName, input, consent.approval, result, askedAt);
      return consent.outcome;
    }
    const title =
      typeof tool === 'string'
        ? 'Calling an MCP tool'
        : `Calling ${plainName(tool.definition.name)} on ${plainName(tool.configuration.key)}`;
    return this.#recorded(exposedName, input, consent, signal, () =>
      showingProgress(title, (onProgress) =>
        this.#caller.call(exposedName, input, signal, { tokens, onProgress }),
      ),
    );
  }

  /** Who allows the call, or the outcome when nobody does. */
  async #consent(
    tool: CatalogTool,
    input: unknown,
    mayBeEdited: boolean,
    signal: AbortSignal,
  ): Promise<'editor' | 'dialog' | 'rule' | Refusal> {
    const args = shownArguments(tool, input);
    const verdict = verdictForArguments(confirmVerdict(tool), args, this.#secrets);
    if (!verdict.asks) return 'rule';
    if (this.#ledger.redeem(tool, args, { mayBeEdited })) return 'editor';
    const answer = await this.#dialog.ask(
      approvalText(tool, withoutSecrets(args, this.#secrets), verdict),
      signal,
    );
    if (answer !== 'allowed') {
      const approval = answer === 'refused' ? 'refused' : 'unanswered';
      return { approval, outcome: notApproved(tool, answer) };
    }
    const now = this.#caller.find(tool.exposedName);
    if (typeof now === 'string' || toolIdentity(now) === toolIdentity(tool)) return 'dialog';
    const outcome = failure(
      `${called(tool)} was not called: its definition changed while the user was asked. Call it again, so that they are asked about the new one.`,
    );
    return { approval: 'unanswered', outcome };
  }

  /** As `call`, for a person who has written the arguments and ordered the call: that is the consent. */
  callForPerson(
    exposedName: string,
    input: unknown,
    signal: AbortSignal,
    onProgress: (progress: CallProgress) => void,
  ): Promise<ToolCallOutcome> {
    return this.#recorded(exposedName, input, 'person', signal, () =>
      this.#caller.call(exposedName, input, signal, { onProgress }),
    );
  }

  /** Makes the call and tells the audit log how it ended. */
  async #recorded(
    exposedName: string,
    input: unknown,
    approval: AuditCall['approval'],
    signal: AbortSignal,
    call: () => Promise<ToolCallOutcome>,
  ): Promise<ToolCallOutcome> {
    const startedAt = performance.now();
    try {
      const outcome = await call();
      this.#record(exposedName, input, approval, resultOf(outcome), startedAt);
      return outcome;
    } catch (error: unknown) {
      const outcome = signal.aborted ? 'cancelled' : 'failure';
      this.#record(exposedName, input, approval, { outcome }, startedAt);
      throw error;
    }
  }

  #record(
    exposedName: string,
    input: unknown,
    approval: AuditCall['approval'],
    result: CallResult,
    startedAt: number,
  ): void {
    const { configuration, definition } = this.#caller.lookUp(exposedName) ?? {};
    this.#audit.record({
      ...{ kind: 'call', exposedName, arguments: input, approval, ...result },
      server: configuration?.key ?? '',
      scope: configuration?.origin.scope ?? '',
      tool: definition?.name ?? exposedName,
      duration: performance.now() - startedAt,
    });
  }
}

type Failure = Extract<ToolCallOutcome, { kind: 'failure' }>;
type CallResult = Pick<AuditCall, 'outcome' | 'code'>;

interface Refusal {
  readonly approval: 'refused' | 'unanswered';
  readonly outcome: Failure;
}

function resultOf(outcome: ToolCallOutcome): CallResult {
  if (outcome.kind === 'failure') return { outcome: 'failure', code: outcome.code };
  return { outcome: outcome.isError ? 'toolError' : 'result' };
}

function notApproved(tool: CatalogTool, answer: Exclude<Answer, 'allowed'>): Failure {
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

function failure(message: string): Failure {
  return { kind: 'failure', code: 'notAllowed', message };
}
