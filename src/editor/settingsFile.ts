import { findNodeAtLocation, modify, applyEdits, parseTree, type Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { configurationSection, serversSetting } from './contributionIds.ts';

const settingName = `${configurationSection}.${serversSetting}`;

/** Opens the settings file of a scope and, if it has an entry for the server, selects that entry. */
export async function openSettingsAt(origin: ConfigurationOrigin, key?: string): Promise<void> {
  const editor = await openSettingsFile(origin);
  const node = entryNode(editor.document.getText(), key);
  if (node === undefined) return;
  const start = editor.document.positionAt(node.offset);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(
    new vscode.Range(start, editor.document.positionAt(node.offset + node.length)),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

/**
 * Writes an entry into the settings file of a scope, saves it and shows it. Comments and formatting
 * stay as they are. Throws when the file is not valid JSON with comments; nothing is changed then.
 */
export async function writeServerEntry(
  origin: ConfigurationOrigin,
  key: string,
  entry: object,
): Promise<void> {
  const editor = await openSettingsFile(origin);
  const { document } = editor;
  const text = document.getText();
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (text.trim() !== '' && tree?.type !== 'object') {
    throw new Error('The settings file is not valid. Correct it first; nothing was changed.');
  }
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const edits = modify(text, [settingName, key], entry, { formattingOptions });
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  edit.replace(document.uri, whole, applyEdits(text, edits));
  const isApplied = await vscode.workspace.applyEdit(edit);
  if (!isApplied || !(await document.save())) {
    throw new Error('The settings file could not be saved.');
  }
  await openSettingsAt(origin, key);
}

async function openSettingsFile({
  scope,
  folder,
}: ConfigurationOrigin): Promise<vscode.TextEditor> {
  if (scope === 'folder' && folder !== undefined) {
    const file = vscode.Uri.joinPath(vscode.Uri.parse(folder.uri), '.vscode', 'settings.json');
    return vscode.window.showTextDocument(file);
  }
  // Only the editor knows where its user settings are; its command opens them.
  await vscode.commands.executeCommand(
    scope === 'user'
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openWorkspaceSettingsFile',
  );
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('The settings file could not be opened.');
  return editor;
}

function entryNode(text: string, key: string | undefined): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (tree === undefined) return undefined;
  const setting = findNodeAtLocation(tree, [settingName]);
  const entry = key === undefined ? undefined : findNodeAtLocation(tree, [settingName, key]);
  // The property, that is key and value together.
  return (entry ?? setting)?.parent;
}
