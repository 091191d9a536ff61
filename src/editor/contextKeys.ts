import * as vscode from 'vscode';

/** Sets a context key of this window, for `when` clauses; `undefined` removes it. */
export async function setContextKey(key: string, value: boolean | undefined): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
