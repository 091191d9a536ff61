import { applyEdits, modify, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { isJsonObject, jsonEqual } from '../base/json.ts';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { configurationSection, serversSetting, toolBudgetSetting } from './contributionIds.ts';
import { settingPath, settingsUri } from './settingsFile.ts';

/**
 * Sets members of the entry `key` in the settings file of a scope, without showing the file; comments and formatting stay. The
 * entry is made if it is not there. Rejects, with nothing changed, when the file has changes that are not saved or is not valid.
 */
export async function changeEntry(
  origin: ConfigurationOrigin,
  key: string,
  members: Readonly<Record<string, unknown>>,
  { globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>,
): Promise<void> {
  const isUsers = origin.scope === 'user' || origin.scope === 'extension';
  const uri = isUsers ? await userSettingsUri(globalStorageUri) : await settingsUri(origin);
  if (uri === undefined) return updateUserSettings(key, members);
  const isDirty = vscode.workspace.textDocuments.some(
    (document) => document.isDirty && document.uri.path === uri.path,
  );
  if (isDirty) throw new Error(`${uri.path} has changes that are not saved. Save it first.`);
  const before = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  if (before.trim() !== '' && !isJsonObject(parse(before, [], { allowTrailingComma: true }))) {
    throw new Error(`${uri.path} is not valid. Correct it first; nothing was changed.`);
  }
  const path = settingPath(origin);
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  const after = Object.entries(members).reduce(
    (text, [name, value]) =>
      applyEdits(text, modify(text, [...path, key, name], value, { formattingOptions })),
    before,
  );
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
  if (isUsers) await readUserSettingsAgain();
}

/** Some editors notice a change of that file late or never; after a setting was written (here one as it is), they read it again. */
async function readUserSettingsAgain(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(configurationSection);
  const value = settings.inspect<unknown>(toolBudgetSetting)?.globalValue;
  await settings.update(toolBudgetSetting, value, vscode.ConfigurationTarget.Global);
}

/** The file of the user settings, if it lies where extensions run and holds what the editor says it holds. */
async function userSettingsUri(globalStorage: vscode.Uri): Promise<vscode.Uri | undefined> {
  const uri = vscode.Uri.joinPath(globalStorage, '..', '..', 'settings.json');
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    const settings: unknown = parse(text, [], { allowTrailingComma: true });
    const found = isJsonObject(settings)
      ? settings[`${configurationSection}.${serversSetting}`]
      : undefined;
    return jsonEqual(found ?? null, usersValue() ?? null) ? uri : undefined;
  } catch {
    return undefined;
  }
}

function usersValue(): unknown {
  const settings = vscode.workspace.getConfiguration(configurationSection);
  return settings.inspect<unknown>(serversSetting)?.globalValue;
}

/** The editor writes the setting as a whole: comments inside it are lost, which is why this is the last way. */
async function updateUserSettings(
  key: string,
  members: Readonly<Record<string, unknown>>,
): Promise<void> {
  const value = usersValue();
  const servers = isJsonObject(value) ? value : {};
  const entry = isJsonObject(servers[key]) ? servers[key] : {};
  await vscode.workspace
    .getConfiguration(configurationSection)
    .update(
      serversSetting,
      { ...servers, [key]: { ...entry, ...members } },
      vscode.ConfigurationTarget.Global,
    );
}
