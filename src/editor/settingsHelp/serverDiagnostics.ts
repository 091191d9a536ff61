import type { Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import { valuePlace } from '../../core/settings/help/valuePlace.ts';
import { globMatcher } from '../../core/tools/toolFilter.ts';
import { nodeAt, rangeOf, type SettingsDocument } from '../settingsDocument.ts';
import type { KnownServers } from '../knownServers.ts';
import { serverPlaces, type ServerPlace } from './serverPlaces.ts';

export const unmatchedPatternCode = 'unmatched-pattern';

/** What only the running server shows to be wrong with an entry: a pattern without a tool, a command that is not there. */
export function serverDiagnostics(
  settings: SettingsDocument,
  known: KnownServers,
): vscode.Diagnostic[] {
  return serverPlaces(settings, known).flatMap((place) => [
    ...startDiagnostics(settings, place),
    ...patternDiagnostics(settings, place),
  ]);
}

function startDiagnostics(
  { document }: SettingsDocument,
  { entryNode, server, isOverlay }: ServerPlace,
): vscode.Diagnostic[] {
  const state = server?.server.state;
  const node = nodeAt(entryNode, ['command']);
  if (isOverlay || state?.kind !== 'error' || state.code !== 'spawnFailed' || node === undefined) {
    return [];
  }
  return [warning(rangeOf(document, node), state.message)];
}

function patternDiagnostics(
  { document }: SettingsDocument,
  { key, entryNode, server }: ServerPlace,
): vscode.Diagnostic[] {
  const names = server?.tools.map(({ definition }) => definition.name) ?? [];
  if (names.length === 0) return [];
  return patternNodes(entryNode).flatMap((node) => {
    const pattern = String(node.value);
    if (pattern === '*' || names.some(globMatcher(pattern))) return [];
    const diagnostic = warning(
      rangeOf(document, node),
      `"${pattern}" matches none of the ${names.length} tools of "${key}".`,
    );
    diagnostic.code = unmatchedPatternCode;
    return [diagnostic];
  });
}

/** The texts of an entry that stand for tools. */
function patternNodes(entry: Node): Node[] {
  const found: Node[] = [];
  const visit = (node: Node, path: readonly (string | number)[]): void => {
    if (path.length > 3) return;
    if (node.type === 'string' && valuePlace(path, false) === 'toolPattern') found.push(node);
    node.children?.forEach((child, index) => {
      if (node.type === 'array') return visit(child, [...path, index]);
      const [name, value] = child.children ?? [];
      if (name === undefined || value === undefined) return;
      const below = [...path, String(name.value)];
      if (valuePlace(below, true) !== undefined) found.push(name);
      visit(value, below);
    });
  };
  visit(entry, []);
  return found;
}

function warning(range: vscode.Range, message: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  diagnostic.source = 'MCP Bridge';
  return diagnostic;
}
