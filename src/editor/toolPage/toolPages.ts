import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { MetaToolSource } from '../metaTools.ts';
import { isNode } from '../treeNodes.ts';
import type { ToolPage } from './toolPage.ts';

interface PageSource {
  readonly metaToolSource: MetaToolSource | undefined;
  readonly onDidChangeCatalog: Event<void>;
}

/** The tabs of tools, at most one for each. */
export class ToolPages implements Disposable {
  readonly #bridge: PageSource;
  readonly #extensionUri: vscode.Uri;
  readonly #onError: (error: unknown) => void;
  readonly #pages = new Map<string, ToolPage>();
  readonly #subscription: Disposable;

  constructor(bridge: PageSource, extensionUri: vscode.Uri, onError: (error: unknown) => void) {
    this.#bridge = bridge;
    this.#extensionUri = extensionUri;
    this.#onError = onError;
    this.#subscription = bridge.onDidChangeCatalog(() => {
      for (const page of this.#pages.values()) page.update();
    });
  }

  /** Opens the page of the tool of a row, or of one that the person picks. */
  async open(node: unknown): Promise<void> {
    const name = isNode(node, 'tool') ? node.tool.exposedName : await this.#pick();
    if (name === undefined) return;
    const { ToolPage } = await import('./toolPage.ts');
    const open = this.#pages.get(name);
    if (open !== undefined) {
      open.panel.reveal();
      return;
    }
    const source = (): MetaToolSource | undefined => this.#bridge.metaToolSource;
    const page = new ToolPage(name, this.#extensionUri, source, this.#onError);
    this.#pages.set(name, page);
    page.panel.onDidDispose(() => this.#pages.delete(name));
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const { panel } of [...this.#pages.values()]) panel.dispose();
  }

  async #pick(): Promise<string | undefined> {
    const tools = [...(this.#bridge.metaToolSource?.catalog.tools.values() ?? [])];
    if (tools.length === 0) {
      void vscode.window.showInformationMessage('No MCP server has tools in this window.');
      return undefined;
    }
    const items = tools.map(({ exposedName, definition, configuration }) => ({
      label: exposedName,
      description: `${definition.name} of ${configuration.key}`,
    }));
    return (
      await vscode.window.showQuickPick(items, { title: 'Open Tool', matchOnDescription: true })
    )?.label;
  }
}
