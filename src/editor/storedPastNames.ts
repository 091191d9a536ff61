import type * as vscode from 'vscode';
import { PastNames } from '../core/tools/pastNames.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';

const storageKey = 'mcpBridge.pastNames';

/** The past tool names of this workspace: its chats are the ones that may still use them. */
export class StoredPastNames {
  readonly names: PastNames;
  readonly #memento: vscode.Memento;
  readonly #onError: (error: unknown) => void;

  constructor(memento: vscode.Memento, onError: (error: unknown) => void) {
    this.#memento = memento;
    this.#onError = onError;
    this.names = new PastNames(memento.get<unknown>(storageKey));
  }

  /** Takes over the names of a new catalog. */
  update(catalog: ToolCatalog): void {
    if (!this.names.update(catalog)) return;
    this.#memento.update(storageKey, this.names.toJSON()).then(undefined, this.#onError);
  }
}
