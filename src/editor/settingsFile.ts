import { findNodeAtLocation, modify, applyEdits, parseTree, type Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { configurationSection, inputsSetting, serversSetting } from './contributionIds.ts';

/** Opens the settings file of a scope and, if it has an entry for the server, selects that entry. */
export async function openSettingsAt(origin: ConfigurationOrigin, key?: string): Promise<void> {
  const editor = await openSettingsFile(origin);
  const node = entryNode(editor.document.getText(), settingPath(origin), key);
  if (node === undefined) return;
  const start = editor.document.positionAt(node.offset);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(
    new vscode.Range(start, editor.document.positionAt(node.offset + node.length)),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

/** What is to be added to a settings file. */
export interface NewSettings {
  /** Entries of `mcpBridge.servers` by key. */
  readonly servers: ReadonlyMap<string, object>;
  /** Entries of `mcpBridge.inputs`. */
  readonly inputs: readonly unknown[];
}

/**
 * Writes entries into the settings file of a scope, saves it and shows the last one. Comments and formatting
 * stay as they are. Throws when the file is not valid JSON with comments; nothing is changed then.
 */
export async function writeSettings(
  origin: ConfigurationOrigin,
  { servers, inputs }: NewSettings,
): Promise<void> {
  const editor = await openSettingsFile(origin);
  const { document } = editor;
  const before = document.getText();
  const tree = parseTree(before, [], { allowTrailingComma: true });
  if (before.trim() !== '' && tree?.type !== 'object') {
    throw new Error('The settings file is not valid. Correct it first; nothing was changed.');
  }
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  let text = before;
  const set = (path: (string | number)[], value: unknown, isArrayInsertion = false): void => {
    text = applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
  };
  for (const [key, entry] of servers) set([...settingPath(origin), key], entry);
  const inputsPath = settingPath(origin, inputsSetting);
  const hasInputs = tree !== undefined && findNodeAtLocation(tree, inputsPath)?.type === 'array';
  if (!hasInputs && inputs.length > 0) set(inputsPath, inputs);
  else for (const input of inputs) set([...inputsPath, -1], input, true);
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(before.length));
  edit.replace(document.uri, whole, text);
  const isApplied = await vscode.workspace.applyEdit(edit);
  if (!isApplied || !(await document.save())) {
    throw new Error('The settings file could not be saved.');
  }
  await openSettingsAt(origin, [...servers.keys()].at(-1));
}

/** Where the setting stands in a settings file: at the top, or below `settings` in a .code-workspace file. */
export function settingPath({ scope }: ConfigurationOrigin, name = serversSetting): string[] {
  const settingName = `${configurationSection}.${name}`;
  const isWorkspaceFile = scope === 'workspace' && vscode.workspace.workspaceFile !== undefined;
  return isWorkspaceFile ? ['settings', settingName] : [settingName];
}

async function openSettingsFile(origin: ConfigurationOrigin): Promise<vscode.TextEditor> {
  // What an extension registered is changed by an entry of the same key in the user settings.
  const isUsers = origin.scope === 'user' || origin.scope === 'extension';
  if (!isUsers) return vscode.window.showTextDocument(await settingsUri(origin));
  // Only the editor knows where its user settings are; its command opens them.
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('The settings file could not be opened.');
  return editor;
}

/** The settings file of a workspace or folder; made when it does not exist. */
export async function settingsUri({ scope, folder }: ConfigurationOrigin): Promise<vscode.Uri> {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (scope === 'workspace' && workspaceFile !== undefined) return workspaceFile;
  const root = folder === undefined ? workspaceFolders?.[0]?.uri : vscode.Uri.parse(folder.uri);
  if (root === undefined) throw new Error('Open a folder first: there are no workspace settings.');
  const uri = vscode.Uri.joinPath(root, '.vscode', 'settings.json');
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}\n'));
  }
  return uri;
}

function entryNode(text: string, path: string[], key: string | undefined): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (tree === undefined) return undefined;
  const setting = findNodeAtLocation(tree, path);
  const entry = key === undefined ? undefined : findNodeAtLocation(tree, [...path, key]);
  // The property, that is key and value together.
  return (entry ?? setting)?.parent;
}
