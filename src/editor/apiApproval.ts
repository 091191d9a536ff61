import * as vscode from 'vscode';
import { needsConfirmation } from '../core/tools/confirmation.ts';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';
import type { JsonObject } from '../base/json.ts';

/** Most characters of arguments shown in the dialog. */
const maxShown = 2000;

/**
 * Whether a call that another extension makes may go ahead: asks the person where their rules say so. Which
 * extension it is cannot be told: all get the same object.
 */
export async function approveApiCall(tool: CatalogTool, args: JsonObject): Promise<boolean> {
  const { configuration, definition } = tool;
  if (!needsConfirmation(configuration.confirm, definition.name, definition.annotations)) {
    return true;
  }
  const json = JSON.stringify(args, null, 2);
  const allow = 'Allow Once';
  const answer = await vscode.window.showWarningMessage(
    `Let an extension call the tool "${definition.name.slice(0, 80)}" of the MCP server "${configuration.key.slice(0, 80)}"?`,
    {
      modal: true,
      detail:
        json.length <= maxShown
          ? json
          : `${json.slice(0, maxShown).toWellFormed()}\n… ${json.length - maxShown} more characters`,
    },
    allow,
  );
  return answer === allow;
}
