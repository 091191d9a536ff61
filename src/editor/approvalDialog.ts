import * as vscode from 'vscode';
import { Sequencer } from '../base/async.ts';
import { approvalPlainText, type ApprovalText } from '../core/tools/approvalText.ts';

/** How long a call waits for its answer, the questions before it included. */
const answerMs = 5 * 60 * 1000;
const allowOnce: vscode.MessageItem = { title: 'Allow Once' };
const deny: vscode.MessageItem = { title: 'Do Not Call', isCloseAffordance: true };

export type Answer = 'allowed' | 'refused' | 'unanswered';

/** Asks about calls that came past the editor's own question: one dialog at a time, and nothing is remembered. */
export class ApprovalDialog {
  readonly #sequencer = new Sequencer();

  /** Rejects when the signal aborts. An answer that comes after the call gave up has no effect. */
  async ask(question: ApprovalText, signal: AbortSignal): Promise<Answer> {
    const end = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const ended = new Promise<'unanswered'>((resolve) => {
      end.addEventListener('abort', () => resolve('unanswered'), { once: true });
    });
    const answered = this.#sequencer.run(async (): Promise<Answer> => {
      // An extension cannot close a dialog: the next one waits for the person, even when this call does not.
      if (end.aborted) return 'unanswered';
      const choice = await vscode.window.showWarningMessage(
        question.title,
        { modal: true, detail: approvalPlainText(question) },
        allowOnce,
        deny,
      );
      if (choice !== allowOnce) return 'refused';
      if (!end.aborted) return 'allowed';
      void vscode.window.showInformationMessage(
        'The call was not made: it had been given up before you allowed it.',
      );
      return 'unanswered';
    });
    const answer = await Promise.race([answered, ended]);
    signal.throwIfAborted();
    return answer;
  }
}
