import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { isEditorTool, metaToolNames } from '../core/tools/reservedNames.ts';
import { steadyCount } from '../core/tools/toolBudget.ts';
import { installedManifests } from './manifestInstaller.ts';

/** Milliseconds a count is good for: the editor does not tell when its tools change. */
const maxAge = 5000;
/** Milliseconds after a change of extensions until their tools are there. */
const settleTime = 2000;

/** Counts the tools that other extensions and the editor's own MCP servers offer in this window. */
export class ForeignTools implements Disposable {
  readonly #subscription: Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count: number | undefined;
  #countedAt = 0;

  /** `onDidChange` is told after a change of extensions that changed the count. */
  constructor(onDidChange: () => void) {
    this.#subscription = vscode.extensions.onDidChange(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        const before = this.#count;
        this.#countedAt = 0;
        if (this.count !== before) onDidChange();
      }, settleTime);
    });
  }

  /** Those that a person has switched off are counted too: the editor does not tell which. */
  get count(): number {
    const now = performance.now();
    if (this.#count === undefined || this.#countedAt === 0 || now - this.#countedAt > maxAge) {
      this.#count = steadyCount(this.#count, countForeignTools());
      this.#countedAt = now;
    }
    return this.#count;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
  }
}

function countForeignTools(): number {
  // Declarations of other windows are listed here too, but never offered.
  const ours = new Set(installedManifests().flatMap(({ tools }) => [...tools.keys()]));
  const tools = vscode.lm?.tools ?? [];
  return tools.filter(
    ({ name }) => !ours.has(name) && !metaToolNames.has(name) && !isEditorTool(name),
  ).length;
}
