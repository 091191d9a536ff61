import * as vscode from 'vscode';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';

/**
 * Asks for consent to one call: which server and which tool; the editor adds the arguments by itself. All
 * text that is not ours is shown literally.
 */
export function confirmationMessages({
  configuration,
  definition,
}: CatalogTool): vscode.LanguageModelToolConfirmationMessages {
  const { readOnlyHint, destructiveHint } = definition.annotations;
  const message = new vscode.MarkdownString();
  message.appendMarkdown('The tool **').appendText(definition.name);
  message.appendMarkdown('** of the MCP server **').appendText(configuration.key);
  message.appendMarkdown('** will be called.');
  if (readOnlyHint === true) message.appendMarkdown(' The server says that it only reads.');
  else if (destructiveHint === true) {
    message.appendMarkdown(' **The server says that it can delete or overwrite.**');
  }
  const title = definition.title ?? definition.name;
  return { title: `Call "${shorten(title)}" on ${shorten(configuration.key)}?`, message };
}

/** One line of bounded length, for titles. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`;
}
