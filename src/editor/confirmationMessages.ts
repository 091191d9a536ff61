import * as vscode from 'vscode';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';

/** Most characters of arguments shown in a confirmation; what is hidden is announced. */
const maxShown = 4000;

/**
 * Asks for consent to one call: which server, which tool, and with `input` what it is called with (the
 * editor shows the input of a registered tool by itself). All text that is not ours is shown literally.
 */
export function confirmationMessages(
  { configuration, definition }: CatalogTool,
  input?: unknown,
): vscode.LanguageModelToolConfirmationMessages {
  const { readOnlyHint, destructiveHint } = definition.annotations;
  const message = new vscode.MarkdownString();
  message.appendMarkdown('The tool ');
  message.appendText(definition.name);
  message.appendMarkdown(' of the MCP server ');
  message.appendText(configuration.key);
  message.appendMarkdown(' will be called.');
  if (readOnlyHint === true) message.appendMarkdown(' The server says that it only reads.');
  else if (destructiveHint === true) {
    message.appendMarkdown(' **The server says that it can delete or overwrite.**');
  }
  if (input !== undefined) {
    const text = JSON.stringify(input, null, 2) ?? '';
    message.appendMarkdown('\n\nArguments:');
    message.appendCodeblock(text.slice(0, maxShown), 'json');
    if (text.length > maxShown) {
      message.appendMarkdown(`\n\n${text.length - maxShown} more characters are not shown.`);
    }
  }
  const title = definition.title ?? definition.name;
  return { title: `Call "${shorten(title)}" on ${shorten(configuration.key)}?`, message };
}

/** One line of bounded length, for titles. */
export function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`;
}
