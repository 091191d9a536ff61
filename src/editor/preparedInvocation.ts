import * as vscode from 'vscode';
import { approvalMarkdown, plainName, type ApprovalText } from '../core/tools/approvalText.ts';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';

/**
 * What the editor shows for a call and, with a question, asks before it. A text instead of a tool is
 * the reason why it cannot be called: then there is nothing to consent to.
 */
export function preparedInvocation(
  tool: CatalogTool | string,
  question?: ApprovalText,
): vscode.PreparedToolInvocation {
  if (typeof tool === 'string') return { invocationMessage: 'Calling an MCP tool' };
  const { configuration, definition } = tool;
  const invocationMessage = `Calling ${plainName(definition.name)} on ${plainName(configuration.key)}`;
  if (question === undefined) return { invocationMessage };
  const message = new vscode.MarkdownString(approvalMarkdown(question));
  message.isTrusted = false;
  message.supportHtml = false;
  message.supportThemeIcons = false;
  return { invocationMessage, confirmationMessages: { title: question.title, message } };
}
