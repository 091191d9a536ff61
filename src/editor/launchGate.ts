import * as vscode from 'vscode';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';

/** Says why a server may not be started or connected to in this window now; `undefined` if it may. */
export function launchRefusal({ key, enabled, origin }: ServerConfiguration): string | undefined {
  if (!enabled) return `"${key}" is switched off ("enabled": false in its settings).`;
  const isWorkspaces = origin.scope === 'workspace' || origin.scope === 'folder';
  if (isWorkspaces && !vscode.workspace.isTrusted) {
    return `"${key}" comes from the settings of this workspace, which is not trusted. Trust the workspace to start it.`;
  }
  return undefined;
}
