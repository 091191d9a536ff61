import * as vscode from 'vscode';
import { errorMessage, isAbort } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { McpServer, McpServers } from '../core/servers/mcpServers.ts';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { addServer } from './addServer.ts';
import { contentHandlers, type ContentContext } from './contentCommands.ts';
import { commandIds } from './contributionIds.ts';
import { openSettingsAt } from './settingsFile.ts';
import { isRemote, offerSignIn, signInTo, type SignInContext } from './signInCommands.ts';
import type { TreeNode } from './treeNodes.ts';

/** What commands work on. `servers` is undefined while no server is configured. */
export interface CommandContext extends ContentContext, SignInContext {
  readonly log: Logger & { show(): void };
  readonly reload: () => Promise<void>;
  readonly removeManifests: () => Promise<number>;
}

/** Registers every command. Each handler ends in one place that logs and shows what went wrong. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const { log, servers } = context;
  const report = (id: string, error: unknown): void => {
    if (isAbort(error)) return;
    log.error(`${id}: ${errorMessage(error)}`);
    void vscode.window.showErrorMessage(`MCP Bridge: ${errorMessage(error)}`);
  };
  // Not waited for: whoever runs the command must not hang until the person answers.
  const offer = (id: string): void => {
    offerSignIn(serverOf(id, servers), context).catch((error: unknown) =>
      report(commandIds.signIn, error),
    );
  };
  const handlers: Readonly<Record<string, (node: unknown) => Promise<void>>> = {
    ...contentHandlers(context),
    [commandIds.addServer]: addServer,
    [commandIds.copyToolName]: async (node) => {
      if (!isNode(node, 'tool')) return;
      await vscode.env.clipboard.writeText(node.tool.exposedName);
    },
    [commandIds.openServerSettings]: async (node) => {
      if (isNode(node, 'server')) {
        const { origin, key } = node.server.server.configuration;
        await openSettingsAt(origin, key);
      } else if (isNode(node, 'invalid')) {
        await openSettingsAt(node.invalid.origin, node.invalid.key);
      }
    },
    [commandIds.openSettings]: async () => {
      await openSettingsAt({ scope: 'user' } satisfies ConfigurationOrigin);
    },
    [commandIds.refresh]: async (node) => {
      const id = await serverId(node, servers, { pick: undefined });
      if (id !== undefined) await servers()?.refresh(id);
      else await context.reload();
    },
    [commandIds.removeManifests]: async () => {
      const count = await context.removeManifests();
      void vscode.window.showInformationMessage(
        `MCP Bridge removed ${count} generated tool declarations. Until the window is reloaded, agents reach the tools through search.`,
      );
    },
    [commandIds.restartServer]: async (node) => {
      const id = await serverId(node, servers);
      if (id === undefined) return;
      await servers()?.restart(id);
      offer(id);
    },
    [commandIds.showLog]: async () => log.show(),
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
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      vscode.commands.registerCommand(id, async (node: unknown) => {
        try {
          await handler(node);
        } catch (error: unknown) {
          report(id, error);
        }
      }),
    ),
  );
}

/** The server a command is meant for: of the row it was called on, else the one the person picks. */
async function serverId(
  node: unknown,
  servers: () => McpServers | undefined,
  { pick }: { pick: ((server: McpServer) => boolean) | undefined } = { pick: () => true },
): Promise<string | undefined> {
  if (isNode(node, 'server')) return node.server.server.configuration.id;
  // Tests, key bindings and other extensions may name the server.
  const all = servers()?.servers ?? [];
  if (typeof node === 'string') {
    return all.find(({ configuration }) => configuration.key === node)?.configuration.id;
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

function isNode<K extends TreeNode['kind']>(
  value: unknown,
  kind: K,
): value is Extract<TreeNode, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
