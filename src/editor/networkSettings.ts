import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { NetworkPorts } from '../core/network/networkPorts.ts';
import { configurationSection, hostsSetting } from './contributionIds.ts';

/** `mcpBridge.network.allowedHosts` of the user's own settings; what a workspace says of it does not count. */
export function allowedHostsInSettings(): string[] {
  const settings = vscode.workspace.getConfiguration(configurationSection);
  const value: unknown = settings.inspect(hostsSetting)?.globalValue;
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** What the user's settings say about connections, read again only after they have changed. */
export class NetworkSettings implements NetworkPorts, Disposable {
  readonly #subscription: vscode.Disposable;
  #allowedHosts: readonly string[] | undefined;

  constructor() {
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      const isTheirs = event.affectsConfiguration(`${configurationSection}.${hostsSetting}`);
      if (isTheirs) this.#allowedHosts = undefined;
    });
  }

  readonly allowedHosts = (): readonly string[] => {
    this.#allowedHosts ??= allowedHostsInSettings();
    return this.#allowedHosts;
  };

  dispose(): void {
    this.#subscription.dispose();
  }
}
