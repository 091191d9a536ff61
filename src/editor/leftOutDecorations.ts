import * as vscode from 'vscode';

const scheme = 'mcp-bridge-left-out';

/** Address of a row that is shown greyed. */
export function leftOutUri(name: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${name}` });
}

/** Greys the rows of tools that agents do not get. */
export class LeftOutDecorations implements vscode.FileDecorationProvider {
  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== scheme) return undefined;
    return { color: new vscode.ThemeColor('disabledForeground'), tooltip: 'left out' };
  }
}
