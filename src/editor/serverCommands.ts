import * as vscode from 'vscode';
import type { McpServer, McpServers } from '../core/servers/mcpServers.ts';
import type { CommandContext } from './commands.ts';
import { commandIds } from './contributionIds.ts';
import { isRemote, offerSignIn, signInTo } from './signInCommands.ts';
import { isNode } from './treeNodes.ts';

/** The commands about one server, by id. `report` takes what goes wrong after a command has ended. */
export function serverHandlers(
  context: CommandContext,
  report: (id: string, error: unknown) => void,
): Readonly<Record<string, (node: unknown) => Promise<void>>> {
  const { servers } = context;
  // Not waited for: whoever runs the command must not hang until the person answers.
  const offer = (id: string): void => {
    offerSignIn(serverOf(id, servers), context).catch((error: unknown) =>
      report(commandIds.signIn, error),
    );
  };
  return {
    [commandIds.refresh]: async (node) => {
      const id = await serverId(node, servers, { pick: undefined });
      if (id !== undefined) await servers()?.refresh(id);
      else await context.reload();
    },
    [commandIds.restartServer]: async (node) => {
      const id = await serverId(node, servers);
      if (id === undefined) return;
      await servers()?.restart(id);
      offer(id);
    },
    [commandIds.signIn]: async (node) => {
      const server = serverOf(await serverId(node, servers, { pick: isRemote }), servers);
      if (server !== undefined) await signInTo(server, context);
    },
    [commandIds.signOut]: async (node) => {
      const isSignedIn = (server: McpServer): boolean => server.isSignedIn === true;
      const id = await serverId(node, servers, { pick: isSignedIn });
      if (id !== undefined) await context.signOut(id);
    },
    [commandIds.startServer]: async (node) => {
      const id = await serverId(node, servers);
      if (id === undefined) return;
      await servers()?.start(id);
      offer(id);
    },
    [commandIds.stopServer]: async (node) => {
      const id = await serverId(node, servers);
      if (id !== undefined) await servers()?.stop(id);
    },
  };
}

/** The server a command is meant for: of the row it was called on, else the one the person picks. */
async function serverId(
  node: unknown,
  servers: () => McpServers | undefined,
  { pick }: { pick: ((server: McpServer) => boolean) | undefined } = { pick: () => true },
): Promise<string | undefined> {
  if (isNode(node, 'server')) return node.server.server.configuration.id;
  // Lenses, tests, key bindings and other extensions may name the server.
  const all = servers()?.servers ?? [];
  if (typeof node === 'string') {
    const named =
      all.find(({ configuration }) => configuration.id === node) ??
      all.find(({ configuration }) => configuration.key === node);
    return named?.configuration.id;
  }
  if (pick === undefined) return undefined;
  const picked = await vscode.window.showQuickPick(
    all.filter(pick).map(({ configuration, state }) => ({
      label: configuration.key,
      description: state.kind,
      id: configuration.id,
    })),
    { placeHolder: 'Which server?' },
  );
  return picked?.id;
}

function serverOf(
  id: string | undefined,
  servers: () => McpServers | undefined,
): McpServer | undefined {
  return servers()?.servers.find(({ configuration }) => configuration.id === id);
}
