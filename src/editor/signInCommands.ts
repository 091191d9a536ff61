import * as vscode from 'vscode';
import type { McpServer } from '../core/servers/mcpServers.ts';

/** Signing in and out, of the server with the given id. */
export interface SignInContext {
  readonly signIn: (id: string, signal: AbortSignal) => Promise<void>;
  readonly signOut: (id: string) => Promise<void>;
}

/** Signs in to a server; the person can give up while the browser is open. */
export async function signInTo(server: McpServer, { signIn }: SignInContext): Promise<void> {
  const { id, key } = server.configuration;
  await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `Signing in to the MCP server "${key}"…`,
      cancellable: true,
    },
    async (_progress, token) => {
      const abort = new AbortController();
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        await signIn(id, abort.signal);
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** After a start on the person's order: offers to sign in when that is what is missing. */
export async function offerSignIn(
  server: McpServer | undefined,
  context: SignInContext,
): Promise<void> {
  if (server?.state.kind !== 'error' || server.state.remedy !== 'signIn') return;
  const button = 'Sign In';
  const choice = await vscode.window.showWarningMessage(server.state.message, button);
  if (choice === button) await signInTo(server, context);
}

/** Remote servers: only those can be signed in to. */
export function isRemote({ configuration: { launch } }: McpServer): boolean {
  return launch.type === 'http' || launch.type === 'sse';
}
