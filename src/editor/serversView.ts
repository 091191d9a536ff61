import * as vscode from 'vscode';
import { DisposableMap, DisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import { statusText } from '../core/servers/serverStatus.ts';
import type { ParsedSettings } from '../core/settings/parseSettings.ts';
import { isWorkspaces } from '../core/trust/workspaceVariables.ts';
import { filteredCatalog } from '../core/tools/catalogFilter.ts';
import type { CatalogServer, CatalogTool, ToolCatalog } from '../core/tools/toolCatalog.ts';
import { contentItem } from './contentItems.ts';
import { contentGroups } from './contentNodes.ts';
import { isEmptyContextKey, isFilteredContextKey, viewId } from './contributionIds.ts';
import { isReviewed } from './pins/pins.ts';
import { setContextKey } from './contextKeys.ts';
import { LeftOutDecorations } from './leftOutDecorations.ts';
import { toolItem, toolsItem } from './toolItems.ts';
import { serverTooltip, shortageTooltip } from './tooltips.ts';
import { childNodes, nodeId, problemNode, type TreeNode } from './treeNodes.ts';

type InvalidSettings = Pick<ParsedSettings, 'invalid' | 'problems'>;

/** Writes into the settings whether a tool is offered. */
type SetWanted = (tool: CatalogTool, isWanted: boolean) => Promise<void>;

/** The tree of servers and their tools in the side bar. Shows what the catalog holds, nothing of its own. */
export class ServersView implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly onDidChangeTreeData: vscode.Event<TreeNode | undefined>;
  readonly #didChange = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #store = new DisposableStore();
  readonly #onError: (error: unknown) => void;
  readonly #setWanted: SetWanted;
  readonly #view: vscode.TreeView<TreeNode>;
  /** Watches over the figures in tooltips that were shown, by id of the server. */
  readonly #shown = new DisposableMap<string>();
  #catalog: ToolCatalog | undefined;
  #settings: InvalidSettings = { invalid: [], problems: [] };
  #isEmpty: boolean | undefined;
  #message = '';
  #filter = '';

  /** `setWanted`: writes into the settings whether a tool is offered. */
  constructor(onError: (error: unknown) => void, setWanted: SetWanted) {
    this.#onError = onError;
    this.#setWanted = setWanted;
    this.onDidChangeTreeData = this.#didChange.event;
    this.#store.add(this.#didChange);
    this.#store.add(this.#shown);
    this.#store.add(vscode.window.registerFileDecorationProvider(new LeftOutDecorations()));
    this.#view = this.#store.add(
      vscode.window.createTreeView(viewId, {
        treeDataProvider: this,
        showCollapseAll: true,
        manageCheckboxStateManually: true,
      }),
    );
    this.#store.add(
      this.#view.onDidChangeCheckboxState(({ items }) => {
        this.#toggle(items).catch((error: unknown) => {
          onError(error);
          void vscode.window.showErrorMessage(`MCP Bridge: ${errorMessage(error)}`);
        });
      }),
    );
  }

  /** Shows the servers; `catalog` undefined means that nothing is configured. */
  show(catalog: ToolCatalog | undefined, settings: InvalidSettings): void {
    this.#catalog = catalog;
    this.#settings = settings;
    const isEmpty = this.getChildren().length === 0;
    if (isEmpty !== this.#isEmpty) {
      this.#isEmpty = isEmpty;
      setContextKey(isEmptyContextKey, isEmpty).catch(this.#onError);
    }
    // The editor makes all rows anew, and asks again for their tooltips.
    for (const id of this.#shown.keys()) this.#shown.delete(id);
    this.#didChange.fire(undefined);
  }

  /** Words above the tree, or nothing. */
  setMessage(message: string | undefined): void {
    this.#message = message ?? '';
    this.#showMessage();
  }

  /** Shows only what fits the text; an empty one shows all. */
  setFilter(text: string): void {
    this.#filter = text.trim();
    setContextKey(isFilteredContextKey, this.#filter !== '').catch(this.#onError);
    this.#showMessage();
    this.#didChange.fire(undefined);
  }

  get filter(): string {
    return this.#filter;
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node !== undefined) return childNodes(node);
    const { shortage, servers = [] } =
      this.#catalog === undefined ? {} : filteredCatalog(this.#catalog, this.#filter);
    const rows = servers.map((server): TreeNode => ({ kind: 'server', server }));
    if (this.#filter !== '') return rows;
    return [
      ...(shortage === undefined ? [] : [{ kind: 'shortage' as const, shortage }]),
      ...this.#settings.problems.map((problem, index) => problemNode(problem, 'settings', index)),
      ...rows,
      ...this.#settings.invalid.map((invalid): TreeNode => ({ kind: 'invalid', invalid })),
    ];
  }

  /** Selects the row of a server or of an entry that cannot be used. */
  async reveal(id: string): Promise<void> {
    const node = this.getChildren().find((row) => nodeId(row) === `server:${id}`);
    await vscode.commands.executeCommand(`${viewId}.focus`);
    if (node !== undefined) await this.#view.reveal(node, { select: true, expand: true });
  }

  /** Only rows without a parent are revealed. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const item = createItem(node);
    item.id = nodeId(node);
    return item;
  }

  /** The tooltip of a server is made when it is to be shown, with the figures of that moment. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind !== 'server') {
      // Without one the editor would show nothing at all.
      item.tooltip ??= typeof item.label === 'string' ? item.label : '';
      return item;
    }
    item.tooltip = serverTooltip(node.server, Date.now());
    const { configuration, health } = node.server.server;
    if (health === undefined) return item;
    // The editor keeps the tooltip until its row changes.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const subscription = health.onDidChangeFigures(() => {
      timer ??= setTimeout(() => {
        this.#shown.delete(configuration.id);
        this.#didChange.fire(node);
      }, staleAfter);
    });
    this.#shown.set(configuration.id, {
      dispose: () => {
        clearTimeout(timer);
        subscription.dispose();
      },
    });
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #showMessage(): void {
    const filter = this.#filter === '' ? [] : [`Shows only what fits "${this.#filter}".`];
    this.#view.message = [this.#message, ...filter].filter(Boolean).join(' ');
  }

  /** The box shows again what the settings say once that is done, whatever came of it. */
  async #toggle(
    items: readonly (readonly [TreeNode, vscode.TreeItemCheckboxState])[],
  ): Promise<void> {
    try {
      for (const [node, state] of items) {
        if (node.kind !== 'tool') continue;
        await this.#setWanted(node.tool, state === vscode.TreeItemCheckboxState.Checked);
      }
    } finally {
      this.#didChange.fire(undefined);
    }
  }
}

/** Milliseconds that figures in a tooltip may be old: the row should not change under the mouse with every call. */
const staleAfter = 3000;

function createItem(node: TreeNode): vscode.TreeItem {
  switch (node.kind) {
    case 'server':
      return serverItem(node.server);
    case 'invalid': {
      const item = new vscode.TreeItem(node.invalid.key, vscode.TreeItemCollapsibleState.Expanded);
      item.description = 'its settings need a correction';
      item.iconPath = errorIcon;
      item.contextValue = 'server.invalid';
      return item;
    }
    case 'tool':
      return toolItem(node.tool);
    case 'tools':
      return toolsItem(node.server);
    case 'problems': {
      const item = new vscode.TreeItem(
        `Problems (${node.problems.length})`,
        vscode.TreeItemCollapsibleState.Expanded,
      );
      item.iconPath = warningIcon;
      item.tooltip = `What is wrong with the MCP server ${node.server.server.configuration.key}`;
      item.contextValue = 'problems';
      return item;
    }
    case 'shortage': {
      const { places, wanted } = node.shortage;
      const item = new vscode.TreeItem(`${places} of ${wanted} tools`);
      item.description = 'the others only through search';
      item.tooltip = shortageTooltip(node.shortage);
      item.iconPath = new vscode.ThemeIcon('info');
      return item;
    }
    case 'problem': {
      const item = new vscode.TreeItem(node.problem.message);
      item.tooltip = `${node.problem.where}: ${node.problem.message}`;
      item.iconPath = warningIcon;
      return item;
    }
    default:
      return contentItem(node);
  }
}

function serverItem(catalogServer: CatalogServer): vscode.TreeItem {
  const { server, tools, problems } = catalogServer;
  const { configuration, state } = server;
  const hasChildren =
    tools.length + problems.length > 0 ||
    state.kind === 'error' ||
    contentGroups(server).length > 0;
  const item = new vscode.TreeItem(
    configuration.key,
    hasChildren ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  item.description = statusText(catalogServer);
  item.iconPath = stateIcon(state);
  const isReviewable = tools.some(({ availability }) => isReviewed(availability));
  const marks = [
    ...(isReviewable ? ['review'] : []),
    ...(isWorkspaces(configuration) ? ['workspace'] : []),
    ...signInMarks(server),
  ];
  item.contextValue = ['server', state.kind, ...marks].join('.');
  item.accessibilityInformation = { label: `MCP server ${configuration.key}, ${item.description}` };
  return item;
}

/** What menus of a server's row look at. */
function signInMarks({ state, isSignedIn }: McpServer): string[] {
  const isNeeded = state.kind === 'error' && state.remedy === 'signIn';
  return [...(isNeeded ? ['signIn'] : []), ...(isSignedIn === true ? ['signedIn'] : [])];
}

const waitingIcon = new vscode.ThemeIcon('shield', new vscode.ThemeColor('list.warningForeground'));
const warningIcon = new vscode.ThemeIcon(
  'warning',
  new vscode.ThemeColor('list.warningForeground'),
);
const errorIcon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));

function stateIcon(state: ConnectionState): vscode.ThemeIcon {
  switch (state.kind) {
    case 'running':
      return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
    case 'starting':
      return new vscode.ThemeIcon('loading~spin');
    case 'stopped':
      return new vscode.ThemeIcon('circle-outline');
    case 'error':
      return state.code === 'notTrusted' ? waitingIcon : errorIcon;
  }
}
