import * as vscode from 'vscode';
import { openVariable } from '../../core/settings/help/valuePlace.ts';
import { cursorPlace, type CursorPlace } from './cursorPlace.ts';
import type { KnownServers } from '../knownServers.ts';

/** What is proposed while an entry is written. */
export interface CompletionSource {
  readonly known: () => KnownServers;
  /** Names, never values. */
  readonly environmentNames: () => readonly string[];
  readonly secretNames: () => Promise<readonly string[]>;
  readonly inputIds: () => readonly string[];
}

/** Most proposals of one kind: an environment may be large. */
const maxProposals = 500;

/** Proposes names of tools where patterns stand, and variables in the texts of a launch. */
export class SettingsCompletions implements vscode.CompletionItemProvider {
  readonly #source: CompletionSource;

  constructor(source: CompletionSource) {
    this.#source = source;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionItem[]> {
    const place = cursorPlace(document, position, this.#source.known());
    if (place === undefined) return [];
    if (place.kind === 'launch') return this.#variables(document, position, place);
    return place.kind === undefined ? [] : toolNames(document, place);
  }

  async #variables(
    document: vscode.TextDocument,
    position: vscode.Position,
    { text, offset }: CursorPlace,
  ): Promise<vscode.CompletionItem[]> {
    const open = openVariable(text.slice(0, document.offsetAt(position) - offset));
    if (open === undefined) return [];
    const rest = text.slice(document.offsetAt(position) - offset);
    const isClosed = /^[^${}]*\}/.exec(rest)?.[0].length ?? 0;
    const range = new vscode.Range(
      position.translate(0, -open.length),
      position.translate(0, isClosed),
    );
    const secrets = await this.#source.secretNames();
    const proposals: (readonly [variable: string, detail: string])[] = [
      ['workspaceFolder', 'Path of the workspace folder'],
      ['userHome', 'Your home directory'],
      ...secrets.map((name) => [`secret:${name}`, 'Kept in the secret storage'] as const),
      ...this.#source.inputIds().map((id) => [`input:${id}`, 'You are asked for it'] as const),
      ...this.#source
        .environmentNames()
        .slice(0, maxProposals)
        .map((name) => [`env:${name}`, 'Environment variable'] as const),
    ];
    return proposals.map(([variable, detail], index) => {
      const item = new vscode.CompletionItem(`\${${variable}}`, vscode.CompletionItemKind.Variable);
      item.detail = detail;
      item.range = range;
      item.filterText = `\${${variable}}`;
      item.sortText = String(index).padStart(5, '0');
      return item;
    });
  }
}

function toolNames(document: vscode.TextDocument, place: CursorPlace): vscode.CompletionItem[] {
  const { server, text, offset } = place;
  const range = new vscode.Range(
    document.positionAt(offset),
    document.positionAt(offset + text.length),
  );
  return (server.server?.tools ?? []).map(({ definition }) => {
    const item = new vscode.CompletionItem(definition.name, vscode.CompletionItemKind.Function);
    if (definition.title !== undefined) item.detail = definition.title;
    // As plain text: it is the server's.
    item.documentation = definition.description.slice(0, 1000);
    item.range = range;
    item.insertText = JSON.stringify(definition.name).slice(1, -1);
    item.filterText = item.insertText;
    return item;
  });
}
