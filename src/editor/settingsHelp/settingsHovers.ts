import * as vscode from 'vscode';
import { variableAt } from '../../core/settings/help/valuePlace.ts';
import { givenVariable } from '../../core/settings/variables.ts';
import { globMatcher } from '../../core/tools/toolFilter.ts';
import { serverTooltip } from '../tooltips.ts';
import { cursorPlace, type CursorPlace } from './cursorPlace.ts';
import type { CompletionSource } from './settingsCompletions.ts';

/** Most tools named in a hover. */
const maxNamed = 30;

/** Says what an entry, a pattern or a variable in a settings file stands for now. Never shows a value. */
export class SettingsHovers implements vscode.HoverProvider {
  readonly #source: CompletionSource;

  constructor(source: CompletionSource) {
    this.#source = source;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const place = cursorPlace(document, position, this.#source.known());
    if (place === undefined) return undefined;
    if (place.path.length === 0) {
      const { server } = place.server;
      return server && new vscode.Hover(serverTooltip(server, Date.now()));
    }
    if (place.kind === 'toolPattern') return patternHover(place);
    if (place.kind !== 'launch') return undefined;
    const found = variableAt(place.text, document.offsetAt(position) - place.offset);
    if (found === undefined) return undefined;
    const text = new vscode.MarkdownString();
    text.appendCodeblock(found.variable, 'plaintext').appendText(await this.#about(found.variable));
    const start = document.positionAt(place.offset + found.start);
    return new vscode.Hover(
      text,
      new vscode.Range(start, start.translate(0, found.variable.length)),
    );
  }

  async #about(variable: string): Promise<string> {
    const given = givenVariable(variable);
    if (given?.kind === 'secret') {
      const names = await this.#source.secretNames();
      return names.includes(given.id)
        ? 'Its value is kept in the secret storage of the editor.'
        : 'It has no value yet. You are asked for it when the server starts, or set it with the command "Set Secret…".';
    }
    if (given?.kind === 'input') {
      return this.#source.inputIds().includes(given.id)
        ? 'You are asked for it once; the answer is kept in the secret storage of the editor.'
        : 'There is no input with that id in "mcpBridge.inputs".';
    }
    const [, name, fallback] = /^\$\{env:([^:}]+)(:-.*)?\}$/s.exec(variable) ?? [];
    if (name === undefined) return 'Replaced when the server is started.';
    if (this.#source.environmentNames().includes(name)) {
      return 'This environment variable is set where the extensions run.';
    }
    return fallback === undefined
      ? 'This environment variable is not set where the extensions run, so the server is not started.'
      : 'This environment variable is not set where the extensions run, so the default is used.';
  }
}

function patternHover({ server, text, offset }: CursorPlace): vscode.Hover | undefined {
  const tools = server.server?.tools;
  if (tools === undefined || tools.length === 0 || offset < 0) return undefined;
  const pattern = parsedText(text);
  const names = tools.map(({ definition }) => definition.name).filter(globMatcher(pattern));
  const hover = new vscode.MarkdownString();
  if (names.length === 0) {
    hover.appendText(`Matches none of the ${tools.length} tools of this server.`);
    return new vscode.Hover(hover);
  }
  hover.appendText(`Matches ${names.length} of ${tools.length} tools:`);
  const more = names.length > maxNamed ? [`… ${names.length - maxNamed} more`] : [];
  hover.appendCodeblock([...names.slice(0, maxNamed), ...more].join('\n'), 'plaintext');
  return new vscode.Hover(hover);
}

function parsedText(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
