import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { KnownServersSource } from '../knownServers.ts';
import { SettingsDiagnostics } from '../settingsDiagnostics.ts';
import { settingsSelector } from '../settingsDocument.ts';
import { ServerLenses } from './serverLenses.ts';
import { SettingsCompletions, type CompletionSource } from './settingsCompletions.ts';
import { SettingsFixes } from './settingsFixes.ts';
import { SettingsHovers } from './settingsHovers.ts';

/** What the editor shows while somebody writes `mcpBridge.servers`: lenses, proposals, hovers and corrections. */
export class SettingsHelp implements Disposable {
  readonly #store = new DisposableStore();
  readonly #lenses: ServerLenses;

  constructor(bridge: KnownServersSource, source: CompletionSource) {
    const diagnostics = this.#store.add(new SettingsDiagnostics(source.known));
    this.#lenses = this.#store.add(new ServerLenses(source.known));
    const { languages } = vscode;
    for (const registration of [
      languages.registerCodeLensProvider(settingsSelector, this.#lenses),
      languages.registerCompletionItemProvider(
        settingsSelector,
        new SettingsCompletions(source),
        '"',
        '{',
        '$',
      ),
      languages.registerHoverProvider(settingsSelector, new SettingsHovers(source)),
      languages.registerCodeActionsProvider(settingsSelector, new SettingsFixes(source), {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    ]) {
      this.#store.add(registration);
    }
    const update = (): void => {
      diagnostics.update();
      this.#lenses.update();
    };
    this.#store.add(bridge.onDidReadSettings(update));
    this.#store.add(bridge.onDidChangeCatalog(update));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
