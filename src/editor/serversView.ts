import * as vscode from 'vscode';
import { DisposableMap, DisposableStore, type Disposable } from '../base/disposable.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import { statusText } from '../core/servers/serverStatus.ts';
import type { ParsedSettings } from '../core/settings/parseSettings.ts';
import type { CatalogServer, CatalogTool, ToolCatalog } from '../core/tools/toolCatalog.ts';
import { contentItem } from './contentItems.ts';
import { contentGroups } from './contentNodes.ts';
import { isEmptyContextKey, viewId } from './contributionIds.ts';
import { setContextKey } from './contextKeys.ts';
import { LeftOutDecorations, leftOutUri } from './leftOutDecorations.ts';
import { serverTooltip, shortageTooltip, toolTooltip } from './tooltips.ts';
import { childNodes, nodeId, problemNode, type TreeNode } from './treeNodes.ts';

type InvalidSettings = Pick<ParsedSettings, 'invalid' | 'problems'>;

/** The tree of servers and their tools in the side bar. Shows what the catalog holds, nothing of its own. */
export class ServersView implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly onDidChangeTreeData: vscode.Event<TreeNode | undefined>;
  readonly #didChange = new vscode.EventEmitter<TreeNode | undefined>();
  readonly #store = new DisposableStore();
  readonly #onError: (error: unknown) => void;
  readonly #view: vscode.TreeView<TreeNode>;
  /** Watches over the figures in tooltips that were shown, by id of the server. */
  readonly #shown = new DisposableMap<string>();
  #catalog: ToolCatalog | undefined;
  #settings: InvalidSettings = { invalid: [], problems: [] };
  #isEmpty: boolean | undefined;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
    this.onDidChangeTreeData = this.#didChange.event;
    this.#store.add(this.#didChange);
    this.#store.add(this.#shown);
    this.#store.add(vscode.window.registerFileDecorationProvider(new LeftOutDecorations()));
    this.#view = this.#store.add(
      vscode.window.createTreeView(viewId, { treeDataProvider: this, showCollapseAll: true }),
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
    this.#view.message = message ?? '';
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node !== undefined) return childNodes(node);
    const { shortage } = this.#catalog ?? {};
    return [
      ...(shortage === undefined ? [] : [{ kind: 'shortage' as const, shortage }]),
      ...this.#settings.problems.map((problem, index) => problemNode(problem, 'settings', index)),
      ...(this.#catalog?.servers ?? []).map((server): TreeNode => ({ kind: 'server', server })),
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
      item.iconPath = new vscode.ThemeIcon(
        'warning',
        new vscode.ThemeColor('list.warningForeground'),
      );
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
  item.contextValue = ['server', state.kind, ...signInMarks(server)].join('.');
  item.accessibilityInformation = { label: `MCP server ${configuration.key}, ${item.description}` };
  return item;
}

/** What menus of a server's row look at. */
function signInMarks({ state, isSignedIn }: McpServer): string[] {
  const isNeeded = state.kind === 'error' && state.remedy === 'signIn';
  return [...(isNeeded ? ['signIn'] : []), ...(isSignedIn === true ? ['signedIn'] : [])];
}

function toolItem(tool: CatalogTool): vscode.TreeItem {
  const { definition, exposedName, availability } = tool;
  const item = new vscode.TreeItem(
    definition.title ?? definition.annotations.title ?? definition.name,
  );
  item.tooltip = toolTooltip(tool);
  item.contextValue = 'tool';
  if (availability.kind === 'leftOut') {
    item.description = availability.reason;
    item.iconPath = new vscode.ThemeIcon(
      'circle-slash',
      new vscode.ThemeColor('disabledForeground'),
    );
    // The decoration of this address greys the label.
    item.resourceUri = leftOutUri(exposedName);
  } else {
    item.description = exposedName;
    item.iconPath = new vscode.ThemeIcon(availability.kind === 'search' ? 'search' : 'tools');
  }
  return item;
}

const errorIcon = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));

function stateIcon({ kind }: ConnectionState): vscode.ThemeIcon {
  switch (kind) {
    case 'running':
      return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
    case 'starting':
      return new vscode.ThemeIcon('loading~spin');
    case 'stopped':
      return new vscode.ThemeIcon('circle-outline');
    case 'error':
      return errorIcon;
  }
}
