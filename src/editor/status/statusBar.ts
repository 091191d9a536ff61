import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { statusSummary, summaryText } from '../../core/servers/statusSummary.ts';
import { commandIds } from '../contributionIds.ts';
import type { KnownServers, KnownServersSource } from '../knownServers.ts';

/** How the servers are doing, at the bottom of the window. Not there while nothing is configured. */
export class StatusBar implements Disposable {
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  /** `bridge`: whose servers it shows. */
  constructor(bridge: KnownServersSource) {
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('mcpBridge.status', vscode.StatusBarAlignment.Right, 90),
    );
    this.#item.name = 'MCP Bridge';
    this.#item.command = commandIds.showMenu;
    const update = (): void => this.#update(bridge.known);
    this.#store.add(bridge.onDidReadSettings(update));
    this.#store.add(bridge.onDidChangeCatalog(update));
  }

  #update({ catalog, invalid, budget }: KnownServers): void {
    const servers = (catalog?.servers.length ?? 0) + invalid.length;
    if (servers === 0) {
      this.#item.hide();
      return;
    }
    const summary = statusSummary(catalog, invalid.length);
    const { running, starting, failed, offered, withoutRoom } = summary;
    const icon = starting > 0 ? '$(loading~spin)' : '$(plug)';
    this.#item.text = `${icon} ${running}${failed > 0 ? ` $(error) ${failed}` : ''}`;
    const places =
      withoutRoom > 0
        ? `${offered} of ${budget} places for tools are taken; ${withoutRoom} more are reached through search for lack of room.`
        : `${offered} of ${budget} places for tools are taken.`;
    const text = `${summaryText(summary)} ${places}`;
    this.#item.tooltip = `MCP Bridge. ${text}`;
    this.#item.accessibilityInformation = { label: `MCP Bridge. ${text}`, role: 'button' };
    this.#item.show();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
