import * as vscode from 'vscode';
import { Sequencer, withTimeout } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type {
  ClientFeatures,
  ElicitationAnswer,
  ElicitationRequest,
  Root,
  SamplingAnswer,
  SamplingRequest,
} from '../core/clientFeatures/clientFeatures.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import { askForm, askToOpen } from './elicitationDialog.ts';
import { sample } from './sampling.ts';

/** Milliseconds a question stays open; then it counts as not answered. */
const patience = 5 * 60_000;

/** Answers servers with the window's folders, the person's words and the editor's models. One question at a time. */
export class EditorClientFeatures implements ClientFeatures, Disposable {
  readonly onDidChangeRoots: Event<void>;
  readonly #didChangeRoots: Emitter<void>;
  readonly #subscription: vscode.Disposable;
  readonly #questions = new Sequencer();

  constructor(onError: (error: unknown) => void) {
    this.#didChangeRoots = new Emitter(onError);
    this.onDidChangeRoots = this.#didChangeRoots.event;
    this.#subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      this.#didChangeRoots.fire();
    });
  }

  roots(): readonly Root[] {
    // Servers run on this machine, so only folders of its file system mean something to them.
    return (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri, name }) => ({ uri: uri.toString(), name }));
  }

  async elicit(
    { key }: ServerConfiguration,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const answer = await this.#ask(signal, (token) =>
      request.mode === 'url' ? askToOpen(key, request, token) : askForm(key, request, token),
    );
    return answer ?? { action: 'cancel' };
  }

  createMessage(
    { key }: ServerConfiguration,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingAnswer | undefined> {
    return this.#ask(signal, (token) => sample(key, request, token));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#didChangeRoots.dispose();
  }

  /** Runs one dialog; `undefined` when the time is up or the request is withdrawn, and the dialog closes then. */
  #ask<T>(
    signal: AbortSignal,
    dialog: (token: vscode.CancellationToken) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#questions.run(async () => {
      const source = new vscode.CancellationTokenSource();
      const cancel = (): void => source.cancel();
      const timer = setTimeout(cancel, patience);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        if (signal.aborted) return undefined;
        // A dialog that does not hear of the end must not hold up the next.
        return await withTimeout(dialog(source.token), patience + 1000);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        source.dispose();
      }
    });
  }
}
