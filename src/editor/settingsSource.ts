import * as vscode from 'vscode';
import type { InputLayer } from '../core/settings/inputs.ts';
import { strayNames } from '../core/settings/strayNames.ts';
import type { SettingsLayer } from '../core/settings/parseSettings.ts';
import type { ConfigurationOrigin, WorkspaceFolder } from '../core/settings/serverConfiguration.ts';
import { settingsVariables, type VariableLookup } from '../core/settings/variables.ts';
import { readToolBudget, type ToolBudgetSetting } from '../core/tools/toolBudget.ts';
import {
  auditSettings,
  configurationSection,
  hostsSetting,
  inputsSetting,
  serversSetting,
  toolBudgetSetting,
} from './contributionIds.ts';

/** The value of `mcpBridge.servers` in every settings file, broadest scope first. Workspace files only when trusted. */
export function readSettingsLayers(): SettingsLayer[] {
  const stray = strayNames.map((name) => [name, readLayers(name)] as const);
  return readLayers(serversSetting).map((layer, index) => {
    const own = stray.flatMap(([name, layers]): [string, unknown][] => {
      const value = layers[index]?.value;
      return value === undefined ? [] : [[name, value]];
    });
    return own.length === 0 ? layer : { ...layer, stray: new Map(own) };
  });
}

/** The value of `mcpBridge.inputs` in every settings file. */
export function readInputLayers(): InputLayer[] {
  return readLayers(inputsSetting);
}

/** The ids of all inputs, right or wrong. */
export function inputIdsInSettings(): string[] {
  const inputs = readInputLayers().flatMap(({ value }): unknown[] =>
    Array.isArray(value) ? value : [],
  );
  return inputs.flatMap((input) =>
    typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string'
      ? [input.id]
      : [],
  );
}

function readLayers(setting: string): InputLayer[] {
  const folders = workspaceFolders();
  const [first] = folders;
  const inspected = vscode.workspace.getConfiguration(configurationSection).inspect(setting);
  const workspace: ConfigurationOrigin = {
    scope: 'workspace',
    ...(first !== undefined && { folder: first }),
  };
  const layers: InputLayer[] = [
    { origin: { scope: 'user' }, value: inspected?.globalValue },
    { origin: workspace, value: inspected?.workspaceValue },
  ];
  // With a single folder its settings file is the workspace's.
  if (vscode.workspace.workspaceFile !== undefined) {
    for (const folder of folders) {
      const value = vscode.workspace
        .getConfiguration(configurationSection, vscode.Uri.parse(folder.uri))
        .inspect(setting)?.workspaceFolderValue;
      layers.push({ origin: { scope: 'folder', folder }, value });
    }
  }
  return layers;
}

/** The value of `mcpBridge.toolBudget` in this window. */
export function toolBudgetInSettings(): ToolBudgetSetting {
  const settings = vscode.workspace.getConfiguration(configurationSection);
  return readToolBudget(settings.get<unknown>(toolBudgetSetting));
}

/** What the person wants kept of calls. Only their own settings count: the editor takes these from nowhere else. */
export function auditInSettings(): { enabled: boolean; values: boolean } {
  const settings = vscode.workspace.getConfiguration(configurationSection);
  return {
    enabled: settings.get<unknown>(auditSettings.enabled) !== false,
    values: settings.get<unknown>(auditSettings.values) === true,
  };
}

/** Whether any settings file has an entry; cheap enough to decide what to load. */
export function hasServers(layers: readonly SettingsLayer[]): boolean {
  return layers.some(
    ({ value }) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  );
}

/** Fires when one of the settings, the workspace folders or the trust in the workspace change. */
export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      const own = [serversSetting, inputsSetting, toolBudgetSetting, hostsSetting];
      const settings = [...own, ...strayNames];
      const isOurs = settings.some((name) =>
        event.affectsConfiguration(`${configurationSection}.${name}`),
      );
      if (isOurs) listener();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(listener),
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
  );
}

/** What variables mean for an entry of the given settings file. */
export function variableLookup(
  origin: ConfigurationOrigin,
  environment: Readonly<Record<string, string | undefined>>,
  userHome: string,
  given: (kind: 'input' | 'secret', id: string) => string | undefined,
): VariableLookup {
  // What lies in a folder that is not trusted must not decide how a server of the user's runs.
  const folders = vscode.workspace.isTrusted ? workspaceFolders() : [];
  return settingsVariables({ folders, folder: origin.folder, environment, userHome, given });
}

function workspaceFolders(): WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({
    name,
    uri: uri.toString(),
    path: uri.fsPath,
  }));
}
