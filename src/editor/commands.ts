import * as vscode from 'vscode';
import { errorMessage, isAbort } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import { addServer } from './addServer.ts';
import type { ActivityView } from './audit/activityView.ts';
import { contentHandlers, type ContentContext } from './contentCommands.ts';
import { commandIds, extensionId, walkthroughId } from './contributionIds.ts';
import type { GivenValues } from './givenValues.ts';
import { moveSecret } from './moveSecret.ts';
import type { PinReview } from './pins/pinReview.ts';
import type { SampleServer } from './sampleServer.ts';
import { secretHandlers } from './secretCommands.ts';
import { serverHandlers } from './serverCommands.ts';
import { openSettingsAt } from './settingsFile.ts';
import type { SignInContext } from './signInCommands.ts';
import type { ServersView } from './serversView.ts';
import { viewHandlers } from './viewCommands.ts';
import { openReport, type ReportSource } from './status/report.ts';
import { showStatusMenu } from './status/statusMenu.ts';
import { launchHandlers } from './trust/launchCommands.ts';
import type { LaunchReview } from './trust/launchReview.ts';
import type { ToolPages } from './toolPage/toolPages.ts';
import { isNode } from './treeNodes.ts';

/** What commands work on. `servers` is undefined while no server is configured. */
export interface CommandContext extends ContentContext, SignInContext {
  readonly log: Logger & { show(): void };
  readonly reload: () => Promise<void>;
  readonly removeManifests: () => Promise<number>;
  readonly values: GivenValues;
  readonly view: ServersView;
  readonly report: ReportSource;
  readonly sample: SampleServer;
  readonly review: PinReview;
  readonly activity: ActivityView;
  readonly launches: () => LaunchReview | undefined;
  /** Ids of entries that the person is just adding. */
  readonly addedServers: Set<string>;
  readonly pages: ToolPages;
}

/** Registers every command. Each handler ends in one place that logs and shows what went wrong. */
export function registerCommands(context: CommandContext): vscode.Disposable {
  const { log } = context;
  const report = (id: string, error: unknown): void => {
    if (isAbort(error)) return;
    log.error(`${id}: ${errorMessage(error)}`);
    void vscode.window.showErrorMessage(`MCP Bridge: ${errorMessage(error)}`);
  };
  const handlers: Readonly<Record<string, (node: unknown) => Promise<void>>> = {
    ...contentHandlers(context),
    ...viewHandlers(context.view),
    ...context.review.handlers,
    ...context.activity.handlers,
    ...launchHandlers(context.launches),
    ...secretHandlers(context.values, context.reload),
    ...serverHandlers(context, report),
    [commandIds.moveSecret]: (argument) => moveSecret(argument, context.values),
    [commandIds.addServer]: () =>
      addServer((ids) => {
        for (const id of ids) context.addedServers.add(id);
      }),
    [commandIds.openTool]: (node) => context.pages.open(node),
    [commandIds.addSampleServer]: () => context.sample.add(),
    [commandIds.removeSampleServer]: () => context.sample.remove(),
    [commandIds.askAgent]: () => context.sample.askAgent(),
    [commandIds.openWalkthrough]: openWalkthrough,
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
    [commandIds.removeManifests]: async () => {
      const count = await context.removeManifests();
      void vscode.window.showInformationMessage(
        `MCP Bridge removed ${count} generated tool declarations. Until the window is reloaded, agents reach the tools through search.`,
      );
    },
    [commandIds.showMenu]: () => showStatusMenu(context.report.known()),
    [commandIds.report]: () => openReport(context.report),
    [commandIds.showLog]: async () => log.show(),
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

async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    `${extensionId}#${walkthroughId}`,
    false,
  );
}
