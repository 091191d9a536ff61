import * as vscode from 'vscode';
import { commandIds } from './contributionIds.ts';
import { groupChildren, type ContentNode } from './contentNodes.ts';
import { row, titled } from './tooltips.ts';

/** How the rows of resources and prompts look. Text of the server is shown literally. */
export function contentItem(node: ContentNode): vscode.TreeItem {
  switch (node.kind) {
    case 'resources':
      return groupItem(node, 'Resources', 'folder-library');
    case 'prompts':
      return groupItem(node, 'Prompts', 'comment-discussion');
    case 'resource': {
      const { uri, mimeType, size } = node.resource;
      const isImage = mimeType?.startsWith('image/') === true;
      const item = entryItem(node.resource, uri, isImage ? 'file-media' : 'file');
      const tooltip = entryTooltip(node.resource);
      row(tooltip, 'URI', uri);
      if (mimeType !== undefined) row(tooltip, 'Type', mimeType);
      if (size !== undefined) row(tooltip, 'Size', `${size} bytes`);
      return Object.assign(item, { tooltip, contextValue: 'resource', command: openOnClick(node) });
    }
    case 'resourceTemplate': {
      const { uriTemplate, variables, mimeType } = node.template;
      const item = entryItem(node.template, uriTemplate, 'symbol-variable');
      const tooltip = entryTooltip(node.template);
      row(tooltip, 'URI template', uriTemplate);
      row(tooltip, 'Asks for', variables.map(({ name }) => name).join(', ') || 'nothing');
      if (mimeType !== undefined) row(tooltip, 'Type', mimeType);
      return Object.assign(item, {
        tooltip,
        contextValue: 'resourceTemplate',
        command: openOnClick(node),
      });
    }
    case 'prompt': {
      const { name, arguments: args } = node.prompt;
      const names = args.map((argument) =>
        argument.required ? argument.name : `${argument.name}?`,
      );
      const item = entryItem(node.prompt, names.join(', '), 'comment');
      const tooltip = entryTooltip(node.prompt);
      row(tooltip, 'Name on the server', name);
      for (const argument of args) {
        const about = argument.description ?? argument.title ?? '';
        row(tooltip, `${argument.name}${argument.required ? '' : ' (optional)'}`, about);
      }
      return Object.assign(item, { tooltip, contextValue: 'prompt' });
    }
  }
}

interface Entry {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

function groupItem(
  node: Extract<ContentNode, { server: unknown }>,
  name: string,
  icon: string,
): vscode.TreeItem {
  const { nodes } = groupChildren(node);
  const item = new vscode.TreeItem(
    `${name} (${nodes.length})`,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = `${name} of the MCP server ${node.server.configuration.key}`;
  item.contextValue = node.kind;
  return item;
}

function entryItem(entry: Entry, description: string, icon: string): vscode.TreeItem {
  const item = new vscode.TreeItem(entry.title ?? entry.name);
  item.description = description;
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}

function entryTooltip({ name, title, description }: Entry): vscode.MarkdownString {
  const text = titled(title ?? name);
  if (description !== undefined) text.appendText(description).appendMarkdown('\n\n');
  return text;
}

function openOnClick(node: ContentNode): vscode.Command {
  return { command: commandIds.openResource, title: 'Open Resource', arguments: [node] };
}
