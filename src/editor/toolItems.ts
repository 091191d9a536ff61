import * as vscode from 'vscode';
import { confirmVerdict } from '../core/tools/confirmation.ts';
import { estimatedTokens, tokensText } from '../core/tools/tokenEstimate.ts';
import type { CatalogServer, CatalogTool } from '../core/tools/toolCatalog.ts';
import { leftOutUri } from './leftOutDecorations.ts';
import { toolTooltip } from './tooltips.ts';

/** The row of a tool. Text of the server is shown literally. */
export function toolItem(tool: CatalogTool): vscode.TreeItem {
  const { definition, exposedName, availability } = tool;
  const label = definition.title ?? definition.annotations.title ?? definition.name;
  const item = new vscode.TreeItem(label);
  item.tooltip = toolTooltip(tool);
  const isLeftOut = availability.kind === 'leftOut';
  const review = isLeftOut ? availability.review : undefined;
  item.contextValue = isLeftOut ? (review === undefined ? 'tool.leftOut' : 'tool.review') : 'tool';
  if (review === 'changed' || review === 'new') {
    item.description = `${review}: review it`;
    item.iconPath = new vscode.ThemeIcon(
      review === 'new' ? 'diff-added' : 'diff-modified',
      new vscode.ThemeColor('list.warningForeground'),
    );
  } else if (isLeftOut) {
    item.description = availability.reason;
    item.iconPath = new vscode.ThemeIcon(
      'circle-slash',
      new vscode.ThemeColor('disabledForeground'),
    );
    // The decoration of this address greys the label.
    item.resourceUri = leftOutUri(exposedName);
  } else {
    const asks = confirmVerdict(tool).asks ? 'asks' : 'does not ask';
    item.description = `${exposedName} · ${asks} · ${tokensText(estimatedTokens(tool))}`;
    item.iconPath = new vscode.ThemeIcon(availability.kind === 'search' ? 'search' : 'tools');
  }
  item.accessibilityInformation = {
    label: isLeftOut
      ? `Tool ${label}, left out: ${availability.reason}`
      : `Tool ${label}, ${item.description}`,
  };
  if (review !== undefined) return item;
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  item.checkboxState = {
    state: isLeftOut ? Unchecked : Checked,
    tooltip: isLeftOut
      ? 'Left out. Check it to offer it to agents.'
      : 'Offered to agents. Uncheck it to leave it out.',
    accessibilityInformation: { label: `Offer ${label} to agents` },
  };
  return item;
}

/** The row above the tools of a server. */
export function toolsItem({ server, tools }: CatalogServer): vscode.TreeItem {
  const item = new vscode.TreeItem(
    `Tools (${tools.length})`,
    vscode.TreeItemCollapsibleState.Expanded,
  );
  const offered = tools.filter(({ availability }) => availability.kind === 'offered');
  const tokens = offered.reduce((sum, tool) => sum + estimatedTokens(tool), 0);
  item.description = offered.length === 0 ? '' : tokensText(tokens);
  item.tooltip = `Tools of the MCP server ${server.configuration.key}. Those that are offered directly take about ${tokens} tokens of each request.`;
  item.iconPath = new vscode.ThemeIcon('tools');
  item.contextValue = 'tools';
  return item;
}
