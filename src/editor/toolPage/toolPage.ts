import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { describeTool } from '../../core/toolPage/describeTool.ts';
import { readPageRequest, type PageRequest } from '../../core/toolPage/pageRequest.ts';
import type { PageCall, PageTool, ToPage } from '../../core/toolPage/pageState.ts';
import { progressText } from '../../core/tools/progressText.ts';
import { charactersAsTokens, tokensText } from '../../core/tools/tokenEstimate.ts';
import { failureParts, type ToolResultPart } from '../../core/tools/toolCall.ts';
import type { MetaToolSource } from '../metaTools.ts';
import { pageHtml } from './pageHtml.ts';

const maxCalls = 20;

/** The tab of one tool. Runs at most one call at a time; closing the tab cancels it. */
export class ToolPage {
  readonly panel: vscode.WebviewPanel;
  readonly #name: string;
  readonly #source: () => MetaToolSource | undefined;
  readonly #onError: (error: unknown) => void;
  #calls: readonly PageCall[] = [];
  #running: AbortController | undefined;
  #isDisposed = false;
  #last: PageTool | undefined;

  constructor(
    exposedName: string,
    extensionUri: vscode.Uri,
    source: () => MetaToolSource | undefined,
    onError: (error: unknown) => void,
  ) {
    this.#name = exposedName;
    this.#source = source;
    this.#onError = onError;
    this.panel = vscode.window.createWebviewPanel(
      'mcpBridge.tool',
      exposedName,
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        retainContextWhenHidden: true,
        localResourceRoots: ['dist', 'media'].map((folder) =>
          vscode.Uri.joinPath(extensionUri, folder),
        ),
      },
    );
    this.panel.onDidDispose(() => {
      this.#isDisposed = true;
      this.#running?.abort();
    });
    this.panel.webview.onDidReceiveMessage((message: unknown) => {
      const request = readPageRequest(message);
      if (request !== undefined) this.#answer(request).catch(onError);
    });
    this.panel.webview.html = pageHtml(this.panel.webview, extensionUri);
  }

  /** Shows the tool as the catalog has it now; one that is gone is shown as it was last. */
  update(): void {
    const tool = this.#source()?.catalog.tools.get(this.#name);
    const gone = 'This tool is gone: its server was removed, or no longer has it.';
    if (tool !== undefined) this.#last = describeTool(tool);
    else if (this.#last !== undefined) this.#last = { ...this.#last, blocked: gone };
    if (this.#last !== undefined) {
      this.#send({ type: 'tool', tool: this.#last, calls: this.#calls });
    }
  }

  async #answer(request: PageRequest): Promise<void> {
    if (request.type === 'ready') this.update();
    else if (request.type === 'cancel') this.#running?.abort();
    else if (request.type === 'copy') await vscode.env.clipboard.writeText(request.text);
    else await this.#run(request.arguments);
  }

  async #run(text: string): Promise<void> {
    if (this.#running !== undefined) return;
    const controller = new AbortController();
    this.#running = controller;
    const startedAt = performance.now();
    const time = new Date().toLocaleTimeString();
    const { outcome, parts } = await this.#call(text, controller.signal);
    this.#running = undefined;
    const characters = parts.reduce(
      (sum, part) => sum + (part.kind === 'text' ? part.text.length : 0),
      0,
    );
    const call: PageCall = {
      ...{ time, outcome, parts, arguments: text },
      milliseconds: Math.round(performance.now() - startedAt),
      tokens: tokensText(charactersAsTokens(characters)),
    };
    this.#calls = [call, ...this.#calls].slice(0, maxCalls);
    this.#send({ type: 'done', calls: this.#calls });
  }

  async #call(text: string, signal: AbortSignal): Promise<Pick<PageCall, 'outcome' | 'parts'>> {
    const failed = (
      message: string,
      parts: readonly ToolResultPart[] = failureParts(message),
    ): Pick<PageCall, 'outcome' | 'parts'> => ({ outcome: 'error', parts });
    try {
      const source = this.#source();
      if (source === undefined) return failed('No MCP server is configured in this window.');
      const answer = await source.caller.callForPerson(
        this.#name,
        JSON.parse(text),
        signal,
        (progress) => this.#send({ type: 'progress', text: progressText(progress) }),
      );
      if (answer.kind === 'failure') return failed(answer.message);
      return { outcome: answer.isError ? 'error' : 'ok', parts: answer.parts };
    } catch (error: unknown) {
      if (signal.aborted) return { outcome: 'cancelled', parts: [] };
      return failed(errorMessage(error));
    }
  }

  #send(message: ToPage): void {
    if (this.#isDisposed) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a webview of the editor has no such argument
    this.panel.webview.postMessage(message).then(undefined, this.#onError);
  }
}
