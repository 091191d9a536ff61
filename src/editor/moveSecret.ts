import { getNodeValue } from 'jsonc-parser';
import * as vscode from 'vscode';
import { literalSecrets } from '../core/settings/literalSecrets.ts';
import { serversSetting } from './contributionIds.ts';
import type { GivenValues } from './givenValues.ts';
import { askSecretName } from './secretCommands.ts';
import { nodeAt, rangeOf, settingNode, settingsDocument } from './settingsDocument.ts';

/** Where a secret stands in a settings file: the file's address, and the path below `mcpBridge.servers`. */
export interface SecretPlace {
  readonly uri: string;
  readonly path: readonly (string | number)[];
}

/** Moves a secret that is written out in a settings file into the secret storage. Comments and formatting stay. */
export async function moveSecret(argument: unknown, values: GivenValues): Promise<void> {
  if (!isPlace(argument)) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(argument.uri));
  const [key = '', ...path] = argument.path;
  const before = secretAt(document, key, path);
  if (before === undefined) return;
  const proposal = [key, path.at(-1)].filter((part) => typeof part === 'string').join('-');
  const name = await askSecretName(
    proposal.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, ''),
  );
  if (name === undefined) return;
  if (await values.has(name)) {
    const replace: vscode.MessageItem = { title: 'Replace' };
    const choice = await vscode.window.showWarningMessage(
      `There is a secret "${name}" already. Replace its value?`,
      { modal: true },
      replace,
    );
    if (choice !== replace) return;
  }
  // The file may have been edited during the questions.
  const now = secretAt(document, key, path);
  if (now?.value !== before.value) throw new Error('The settings changed meanwhile. Try again.');
  await values.set(name, now.value);
  const edit = new vscode.WorkspaceEdit();
  const text = now.text.replace(now.value, () => `\${secret:${name}}`);
  edit.replace(document.uri, now.range, JSON.stringify(text));
  if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) {
    throw new Error('The secret is stored, but the settings file could not be changed and saved.');
  }
}

function secretAt(document: vscode.TextDocument, key: string | number, path: SecretPlace['path']) {
  const settings = settingsDocument(document);
  if (settings === undefined) return undefined;
  const entry = nodeAt(settingNode(settings, serversSetting), [key]);
  const node = nodeAt(entry, path);
  if (entry === undefined || node?.type !== 'string') return undefined;
  const value = literalSecrets(getNodeValue(entry)).find(
    (one) => one.path.join('\n') === path.join('\n'),
  )?.value;
  if (value === undefined) return undefined;
  return { value, text: String(node.value), range: rangeOf(document, node) };
}

function isPlace(value: unknown): value is SecretPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'uri' in value &&
    typeof value.uri === 'string' &&
    'path' in value &&
    Array.isArray(value.path)
  );
}
