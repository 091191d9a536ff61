import { parseTree, type Node } from 'jsonc-parser';
import * as vscode from 'vscode';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { configurationSection, inputsSetting, serversSetting } from './contributionIds.ts';

/** The files that may be settings files; `settingsDocument` says whether one is. */
export const settingsSelector: vscode.DocumentSelector = [
  { pattern: '**/settings.json' },
  { pattern: '**/*.code-workspace' },
];

/** A settings file that is open, and the scope it is of; a folder is named by its address. */
export interface SettingsDocument {
  readonly document: vscode.TextDocument;
  readonly scope: ConfigurationOrigin['scope'];
  readonly folder?: string;
  /** The object that holds settings by their full names. */
  readonly settings: Node;
}

/** The document as a settings file of this window; `undefined` if it is none. */
export function settingsDocument(document: vscode.TextDocument): SettingsDocument | undefined {
  const place = placeOf(document.uri);
  if (place === undefined) return undefined;
  const tree = parseTree(document.getText(), [], { allowTrailingComma: true });
  const isWorkspaceFile = document.uri.path.endsWith('.code-workspace');
  const settings = isWorkspaceFile ? member(tree, 'settings') : tree;
  return settings?.type === 'object' ? { document, settings, ...place } : undefined;
}

function placeOf(uri: vscode.Uri): Pick<SettingsDocument, 'scope' | 'folder'> | undefined {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (uri.toString() === workspaceFile?.toString()) return { scope: 'workspace' };
  for (const folder of workspaceFolders ?? []) {
    const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
    if (file.toString() !== uri.toString()) continue;
    if (workspaceFile === undefined) return { scope: 'workspace' };
    return { scope: 'folder', folder: folder.uri.toString() };
  }
  // Only the editor knows where its user settings are; these are the shapes of that place.
  const isUsers =
    uri.scheme === 'vscode-userdata' || /\/User\/(?:profiles\/[^/]+\/)?[^/]+$/.test(uri.path);
  return isUsers && uri.path.endsWith('/settings.json') ? { scope: 'user' } : undefined;
}

/** The value of a setting of ours. */
export function settingNode({ settings }: SettingsDocument, name: string): Node | undefined {
  return member(settings, `${configurationSection}.${name}`);
}

/** The value at a path of names and indexes below a node. */
export function nodeAt(
  node: Node | undefined,
  path: readonly (string | number)[],
): Node | undefined {
  return path.reduce<Node | undefined>(
    (at, step) => (typeof step === 'number' ? at?.children?.[step] : member(at, step)),
    node,
  );
}

/** What the `where` of a problem points at, as near as the file has it: a value, or the key of the entry. */
export function problemNode(document: SettingsDocument, where: string): Node | undefined {
  const servers = settingNode(document, serversSetting);
  if (where === 'servers') return servers;
  const inputs = /^inputs(?=\[|$)/.exec(where);
  if (inputs !== null) return deepest(settingNode(document, inputsSetting), where.slice(6));
  return deepest(servers, where) ?? settingNode(document, where);
}

/** Goes down as far as the text leads: names may hold dots, so the longest that fits is taken. */
function deepest(start: Node | undefined, where: string): Node | undefined {
  let node = start;
  let rest = where;
  while (node !== undefined && rest !== '') {
    const next = step(node, rest);
    if (next === undefined) break;
    [node, rest] = next;
  }
  if (node === start) return where === '' || where.startsWith('[') ? start : undefined;
  // Of an entry as a whole, its key is enough to mark.
  return node?.type === 'object' && node.parent?.type === 'property'
    ? node.parent.children?.[0]
    : node;
}

function step(node: Node, rest: string): [Node, string] | undefined {
  const index = /^\.?\[?(\d+)\]?(?=[.[]|$)/.exec(rest);
  const item = index === null ? undefined : node.children?.[Number(index[1])];
  if (node.type === 'array') {
    return item === undefined ? undefined : [item, rest.slice(index?.[0].length)];
  }
  const text = rest.replace(/^\./, '');
  const names = (node.children ?? []).map((property) => String(property.children?.[0]?.value));
  const [name] = names
    .filter((one) => text === one || text.startsWith(`${one}.`) || text.startsWith(`${one}[`))
    .toSorted((left, right) => right.length - left.length);
  const value = name === undefined ? undefined : member(node, name);
  return value === undefined || name === undefined ? undefined : [value, text.slice(name.length)];
}

/** The value of a member; the last one where a name stands twice, as the editor reads it. */
function member(node: Node | undefined, name: string): Node | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === name)
    ?.children?.[1];
}

/** The range of a node. */
export function rangeOf(document: vscode.TextDocument, { offset, length }: Node): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
