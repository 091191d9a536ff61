import { getNodeValue } from 'jsonc-parser';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { literalSecrets } from '../core/settings/literalSecrets.ts';
import type { SettingsProblem } from '../core/settings/parseSettings.ts';
import { commandIds, serversSetting } from './contributionIds.ts';
import type { SecretPlace } from './moveSecret.ts';
import { serverDiagnostics } from './settingsHelp/serverDiagnostics.ts';
import type { KnownServers } from './knownServers.ts';
import {
  nodeAt,
  problemNode,
  rangeOf,
  settingNode,
  settingsDocument,
  settingsSelector,
  type SettingsDocument,
} from './settingsDocument.ts';

const source = 'MCP Bridge';
const literalSecretCode = 'literal-secret';

/** Shows what is wrong with settings, and secrets written out in them, at their place in the settings files that are open. */
export class SettingsDiagnostics implements vscode.CodeActionProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #collection: vscode.DiagnosticCollection;
  readonly #known: () => KnownServers;

  constructor(known: () => KnownServers) {
    this.#known = known;
    this.#collection = this.#store.add(vscode.languages.createDiagnosticCollection('mcpBridge'));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#check(document)));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument((event) => this.#check(event.document)),
    );
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)),
    );
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(settingsSelector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.#checkAll();
  }

  /** Servers or settings have changed. */
  update(): void {
    this.#checkAll();
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const settings = settingsDocument(document);
    if (settings === undefined) return [];
    return diagnostics.flatMap((diagnostic) => {
      if (diagnostic.source !== source || diagnostic.code !== literalSecretCode) return [];
      const place = secretsIn(settings).find(({ range }) => range.isEqual(diagnostic.range))?.place;
      if (place === undefined) return [];
      const title = 'Move into the editor\u2019s secret storage';
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.command = { title, command: commandIds.moveSecret, arguments: [place] };
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      return [action];
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#check(document);
  }

  #check(document: vscode.TextDocument): void {
    const settings = settingsDocument(document);
    if (settings === undefined) {
      this.#collection.delete(document.uri);
      return;
    }
    const found = [
      ...this.#known()
        .problems.filter(({ origin }) => isOf(origin, settings))
        .flatMap((problem) => problemDiagnostic(settings, problem)),
      ...serverDiagnostics(settings, this.#known()),
      ...secretsIn(settings).map(({ range, message }) =>
        diagnosticAt(range, message, literalSecretCode),
      ),
    ];
    this.#collection.set(document.uri, found);
  }
}

function isOf(origin: SettingsProblem['origin'], { scope, folder }: SettingsDocument): boolean {
  return origin.scope === scope && (scope !== 'folder' || origin.folder?.uri === folder);
}

function problemDiagnostic(settings: SettingsDocument, problem: SettingsProblem) {
  const node = problemNode(settings, problem.where);
  if (node === undefined) return [];
  return [diagnosticAt(rangeOf(settings.document, node), problem.message)];
}

function diagnosticAt(range: vscode.Range, message: string, code?: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = source;
  if (code !== undefined) diagnostic.code = code;
  return diagnostic;
}

interface FoundSecret {
  readonly range: vscode.Range;
  readonly message: string;
  readonly place: SecretPlace;
}

function secretsIn(settings: SettingsDocument): FoundSecret[] {
  const servers = settingNode(settings, serversSetting);
  const entries: Readonly<Record<string, unknown>> = servers ? getNodeValue(servers) : {};
  return Object.entries(entries).flatMap(([key, entry]) =>
    literalSecrets(entry).flatMap(({ path, what }): FoundSecret[] => {
      const node = nodeAt(servers, [key, ...path]);
      if (node === undefined) return [];
      return [
        {
          range: rangeOf(settings.document, node),
          message: `This looks like ${what}, written out where others may read it. Keep it in the editor's secret storage and write \${secret:name} here.`,
          place: { uri: settings.document.uri.toString(), path: [key, ...path] },
        },
      ];
    }),
  );
}
