import * as vscode from 'vscode';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';
import { commandIds } from './contributionIds.ts';
import type { ServersView } from './serversView.ts';
import { openSettingsAt } from './settingsFile.ts';
import { isNode } from './treeNodes.ts';

/** The commands about what the servers view shows, by id. */
export function viewHandlers(
  view: ServersView,
): Readonly<Record<string, (argument: unknown) => Promise<void>>> {
  return {
    [commandIds.showServer]: (id) => view.reveal(String(id)),
    [commandIds.filterTools]: async () => {
      const text = await vscode.window.showInputBox({
        title: 'Filter MCP Servers and Tools',
        prompt: 'Show only servers and tools whose names hold all of these words',
        value: view.filter,
      });
      if (text !== undefined) view.setFilter(text);
    },
    [commandIds.clearFilter]: async () => view.setFilter(''),
    [commandIds.explainTool]: async (node) => {
      if (isNode(node, 'tool')) await explain(node.tool);
    },
  };
}

/** Says why a tool is not offered, and leads to what decides it. */
async function explain({ definition, configuration, availability }: CatalogTool): Promise<void> {
  const { key, origin } = configuration;
  const title = `"${definition.name}" of "${key}"`;
  if (availability.kind === 'offered') {
    void vscode.window.showInformationMessage(`${title} is offered to agents.`);
    return;
  }
  const why =
    availability.kind === 'leftOut'
      ? `is not available: ${availability.reason}.`
      : availability.reason === 'budget'
        ? 'is reached through search only, because there is no room for it among the tools that are offered directly. Put it into "pin", give its server a higher "priority", or raise "mcpBridge.toolBudget".'
        : 'is reached through search only, because "expose" of its server is "search".';
  const open = 'Open Settings';
  const choice = await vscode.window.showInformationMessage(`${title} ${why}`, open);
  if (choice === open) await openSettingsAt(origin, key);
}
