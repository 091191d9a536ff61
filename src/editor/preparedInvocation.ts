import * as vscode from 'vscode';
import { needsConfirmation } from '../core/tools/confirmation.ts';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';

/**
 * What the editor shows for a call, and what it asks before it when the person's rules say so: which server
 * and which tool; it adds the arguments by itself. A text instead of a tool is the reason why it cannot be
 * called: then there is nothing to consent to. All text that is not ours is shown literally.
 * `note` is said besides, in the question.
 */
export function preparedInvocation(
  tool: CatalogTool | string,
  note = '',
): vscode.PreparedToolInvocation {
  if (typeof tool === 'string') return { invocationMessage: 'Calling an MCP tool' };
  const { configuration, definition } = tool;
  const name = shorten(definition.name);
  const server = shorten(configuration.key);
  const invocationMessage = `Calling ${name} on ${server}`;
  if (!needsConfirmation(configuration.confirm, definition.name, definition.annotations)) {
    return { invocationMessage };
  }
  const title = `Call "${shorten(definition.title ?? definition.name)}" on ${server}?`;
  return {
    invocationMessage,
    confirmationMessages: { title, message: question(tool, note) },
  };
}

function question({ configuration, definition }: CatalogTool, note: string): vscode.MarkdownString {
  const { readOnlyHint, destructiveHint } = definition.annotations;
  const message = new vscode.MarkdownString();
  message.appendMarkdown('The tool **').appendText(definition.name);
  message.appendMarkdown('** of the MCP server **').appendText(configuration.key);
  message.appendMarkdown('** will be called.');
  if (readOnlyHint === true) message.appendMarkdown(' The server says that it only reads.');
  else if (destructiveHint === true) {
    message.appendMarkdown(' **The server says that it can delete or overwrite.**');
  }
  if (note !== '') message.appendMarkdown('\n\n').appendText(note);
  return message;
}

/** One line of bounded length, for titles. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79).toWellFormed()}…`;
}
