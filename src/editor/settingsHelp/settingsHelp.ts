import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { SettingsProblem } from '../../core/settings/parseSettings.ts';
import { SettingsDiagnostics } from '../settingsDiagnostics.ts';
import { settingsSelector } from '../settingsDocument.ts';
import { ServerLenses } from './serverLenses.ts';
import { SettingsCompletions, type CompletionSource } from './settingsCompletions.ts';
import { SettingsFixes } from './settingsFixes.ts';
import { SettingsHovers } from './settingsHovers.ts';

/** What changes what there is to say. */
interface SettingsEvents {
  /** Carries all that is wrong in settings. */
  readonly onDidReadSettings: Event<readonly SettingsProblem[]>;
  readonly onDidChangeCatalog: Event<void>;
}

/** What the editor shows while somebody writes `mcpBridge.servers`: lenses, proposals, hovers and corrections. */
export class SettingsHelp implements Disposable {
  readonly #store = new DisposableStore();
  readonly #lenses: ServerLenses;

  constructor(bridge: SettingsEvents, source: CompletionSource) {
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
    this.#store.add(
      bridge.onDidReadSettings((problems) => {
        diagnostics.update(problems);
        this.#lenses.update();
      }),
    );
    this.#store.add(
      bridge.onDidChangeCatalog(() => {
        diagnostics.update();
        this.#lenses.update();
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }
}
