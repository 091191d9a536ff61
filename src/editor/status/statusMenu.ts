import * as vscode from 'vscode';
import { lensesOf, type Lens } from '../../core/settings/help/lensTexts.ts';
import { statusText } from '../../core/servers/serverStatus.ts';
import type { CatalogServer } from '../../core/tools/toolCatalog.ts';
import { commandIds } from '../contributionIds.ts';
import type { KnownServers } from '../knownServers.ts';

interface Row extends vscode.QuickPickItem {
  readonly run?: () => Thenable<unknown>;
}

interface ActionButton extends vscode.QuickInputButton {
  readonly run: () => Thenable<unknown>;
}

const icons: Readonly<Record<Lens['action'], string>> = {
  start: 'debug-start',
  stop: 'debug-stop',
  restart: 'debug-restart',
  signIn: 'key',
  show: 'list-tree',
  showLog: 'output',
};
const commands: Readonly<Record<Lens['action'], string>> = {
  start: commandIds.startServer,
  stop: commandIds.stopServer,
  restart: commandIds.restartServer,
  signIn: commandIds.signIn,
  show: commandIds.showServer,
  showLog: commandIds.showLog,
};

const general: readonly (readonly [label: string, command: string])[] = [
  ['$(add) Add Server…', commandIds.addServer],
  ['$(refresh) Refresh Tool Lists', commandIds.refresh],
  ['$(gear) Open Settings', commandIds.openSettings],
  ['$(output) Show Log', commandIds.showLog],
  ['$(report) Report…', commandIds.report],
];

/** The menu of the status bar: every server with its state and what can be done about it, then what concerns all. */
export async function showStatusMenu({ catalog, invalid }: KnownServers): Promise<void> {
  const picker = vscode.window.createQuickPick<Row>();
  picker.title = 'MCP Bridge';
  picker.placeholder = 'Choose a server to see it in the sidebar, or an action';
  picker.matchOnDescription = true;
  picker.items = [
    ...(catalog?.servers ?? []).map(serverRow),
    ...invalid.map(({ id, key }): Row => {
      const label = `$(error) ${key}`;
      const description = 'its settings need a correction';
      return { label, description, run: () => execute(commandIds.showServer, id) };
    }),
    { label: 'All servers', kind: vscode.QuickPickItemKind.Separator },
    ...general.map(([label, command]): Row => ({ label, run: () => execute(command) })),
  ];
  const chosen = await new Promise<(() => Thenable<unknown>) | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]?.run));
    picker.onDidTriggerItemButton(({ button }) => resolve((button as ActionButton).run));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  picker.dispose();
  await chosen?.();
}

function serverRow(server: CatalogServer): Row {
  const { id, key } = server.server.configuration;
  const [state, ...actions] = lensesOf(server);
  const icon = /^\$\([^)]*\)/.exec(state?.title ?? '')?.[0] ?? '';
  return {
    label: `${icon} ${key}`,
    description: statusText(server),
    buttons: actions.map(({ action, title }): ActionButton => ({
      iconPath: new vscode.ThemeIcon(icons[action]),
      tooltip: title.replace(/^\$\([^)]*\) /, ''),
      run: () => execute(commands[action], id),
    })),
    run: () => execute(commandIds.showServer, id),
  };
}

function execute(command: string, ...args: unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...args);
}
