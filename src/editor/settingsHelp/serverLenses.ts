import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { lensesOf, type Lens } from '../../core/settings/help/lensTexts.ts';
import { commandIds } from '../contributionIds.ts';
import { rangeOf, settingsDocument } from '../settingsDocument.ts';
import type { KnownServers } from '../knownServers.ts';
import { serverPlaces, type ServerPlace } from './serverPlaces.ts';

const commands: Readonly<Record<Lens['action'], string>> = {
  start: commandIds.startServer,
  stop: commandIds.stopServer,
  restart: commandIds.restartServer,
  signIn: commandIds.signIn,
  show: commandIds.showServer,
  showLog: commandIds.showLog,
};

/** Above each entry of `mcpBridge.servers` in a settings file: the state of the server, and what can be done about it. */
export class ServerLenses implements vscode.CodeLensProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#didChange.event;
  readonly #known: () => KnownServers;

  constructor(known: () => KnownServers) {
    this.#known = known;
  }

  /** What is known of the servers is another now. */
  update(): void {
    this.#didChange.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const settings = settingsDocument(document);
    if (settings === undefined) return [];
    return serverPlaces(settings, this.#known()).flatMap((place) => {
      const range = rangeOf(document, place.keyNode);
      return commandsAt(place).map((command) => new vscode.CodeLens(range, command));
    });
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function commandsAt({ key, server, invalid, isOverlay }: ServerPlace): vscode.Command[] {
  if (invalid !== undefined) {
    const title = '$(error) its settings need a correction';
    return [{ title, command: commandIds.showServer, arguments: [invalid.id] }];
  }
  if (server === undefined) return [];
  const { id, origin } = server.server.configuration;
  const from = origin.scope === 'extension' ? `the extension ${origin.extension}` : origin.scope;
  const lenses = lensesOf(server).map(({ action, title }): vscode.Command => ({
    title,
    command: commands[action],
    arguments: [id],
  }));
  const [state] = lenses;
  if (!isOverlay || state === undefined) return lenses;
  const words = origin.scope === 'extension' ? from : `the ${from} settings`;
  return [{ ...state, title: `$(layers) changes "${key}" of ${words}` }, ...lenses];
}
