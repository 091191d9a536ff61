import { homedir } from 'node:os';
import process from 'node:process';
import * as vscode from 'vscode';
import type { McpBridgeApi } from './api.ts';
import { errorMessage } from './base/errors.ts';
import { rewritten } from './base/log.ts';
import { AuditLog } from './core/audit/auditLog.ts';
import { KnownSecrets } from './core/redact.ts';
import { Registrations } from './core/servers/registrations.ts';
import { ActivityView } from './editor/audit/activityView.ts';
import { BridgeApi } from './editor/bridgeApi.ts';
import { BridgeController, type ControllerOptions } from './editor/bridgeController.ts';
import { registerCommands } from './editor/commands.ts';
import { definitionScheme, metaToolIds, resourceScheme } from './editor/contributionIds.ts';
import { CallToolTool, FindToolsTool } from './editor/metaTools.ts';
import { PinReview } from './editor/pins/pinReview.ts';
import { GivenValues } from './editor/givenValues.ts';
import { ResourceFiles } from './editor/resourceFiles.ts';
import { ServersView } from './editor/serversView.ts';
import { SampleServer } from './editor/sampleServer.ts';
import { SettingsHelp } from './editor/settingsHelp/settingsHelp.ts';
import { ToolPages } from './editor/toolPage/toolPages.ts';
import { setToolWanted } from './editor/toolToggles.ts';
import type { ReportSource } from './editor/status/report.ts';
import { StatusBar } from './editor/status/statusBar.ts';
import {
  auditInSettings,
  inputIdsInSettings,
  onDidChangeSettings,
} from './editor/settingsSource.ts';
import { RotatedFile } from './storage/rotatedFile.ts';

let controller: BridgeController | undefined;
let flushAudit: (() => Promise<void>) | undefined;

/** Size of a file of the audit log, in bytes, and milliseconds it is kept: 5 MiB twice, 30 days. */
const auditBytes = 5 * 1024 * 1024;
const auditAge = 30 * 24 * 60 * 60 * 1000;

/** Composition root: puts the parts together. The only module that knows both `mcp/` and `editor/`. */
export async function activate(context: vscode.ExtensionContext): Promise<McpBridgeApi> {
  const startedAt = performance.now();
  const channel = vscode.window.createOutputChannel('MCP Bridge', { log: true });
  const known = new KnownSecrets();
  // Whatever is logged passes here.
  const log = { ...rewritten(channel, known.mask), show: () => channel.show() };
  const values = new GivenValues(context.secrets, known);
  const onError = (error: unknown): void => log.error(errorMessage(error));
  const view = new ServersView(onError, (tool, isWanted) => setToolWanted(tool, isWanted, context));
  const registrations = new Registrations();
  const audit = createAudit(context, known, onError);
  const addedServers = new Set<string>();
  const bridge = createBridge({
    ...{ context, log, view, registrations, values, known, audit, addedServers },
  });
  controller = bridge;
  const bridgeApi = new BridgeApi({
    registrations,
    reload: () => bridge.reload(),
    source: () => bridge.metaToolSource,
    onDidChangeCatalog: bridge.onDidChangeCatalog,
    onError,
  });
  const help = createHelp(bridge, values);
  const files = new ResourceFiles(() => bridge.servers);
  const sample = new SampleServer({
    ...{ context, registrations },
    runtime: javaScriptRuntime(),
    reload: () => bridge.reload(),
  });
  const activity = new ActivityView(audit);
  const review = new PinReview({ pins: () => bridge.pins, catalog: () => bridge.known.catalog });
  const pages = new ToolPages(bridge, context.extensionUri, onError);
  context.subscriptions.push(
    channel,
    audit,
    activity,
    vscode.workspace.registerTextDocumentContentProvider(definitionScheme, review),
    view,
    bridge,
    bridgeApi,
    files,
    help,
    pages,
    new StatusBar(bridge),
    registerCommands({
      log,
      files,
      servers: () => bridge.servers,
      reload: () => bridge.refreshAll(),
      values,
      view,
      ...{ sample, review, activity, pages },
      ...{ launches: () => bridge.launches, addedServers },
      report: reportSource(bridge, known, context),
      removeManifests: () => bridge.removeManifests(),
      signIn: (id, signal) => bridge.signIn(id, signal),
      signOut: (id) => bridge.signOut(id),
    }),
    onDidChangeSettings(() => {
      bridge.reload().catch(onError);
    }),
    ...registerMetaTools(bridge),
  );
  try {
    await sample.restore();
    await bridge.reload();
  } catch (error: unknown) {
    // The editor says nothing when an activation fails.
    log.error(errorMessage(error));
    void vscode.window.showErrorMessage(`MCP Bridge could not start: ${errorMessage(error)}`);
  }
  // The editor waits for the activation before it reads files of open tabs, so the servers are known then.
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider(resourceScheme, files, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
  );
  log.info(`activated in ${(performance.now() - startedAt).toFixed(1)} ms`);
  return bridgeApi.api;
}

function createAudit(
  { globalStorageUri }: vscode.ExtensionContext,
  { mask }: KnownSecrets,
  onError: (error: unknown) => void,
): AuditLog {
  const file = new RotatedFile({
    path: vscode.Uri.joinPath(globalStorageUri, 'audit', 'audit.jsonl').fsPath,
    ...{ maxBytes: auditBytes, maxAge: auditAge, onError },
  });
  flushAudit = () => file.flush();
  const now = (): Date => new Date();
  return new AuditLog({ file, mask, settings: auditInSettings, onError, now });
}

function reportSource(
  bridge: BridgeController,
  { mask }: KnownSecrets,
  context: vscode.ExtensionContext,
): ReportSource {
  const platform = `${process.platform} ${process.arch}`;
  return { known: () => bridge.known, userHome: homedir(), platform, mask, context };
}

function createHelp(bridge: BridgeController, values: GivenValues): SettingsHelp {
  return new SettingsHelp(bridge, {
    known: () => bridge.known,
    environmentNames: () => Object.keys(process.env),
    secretNames: () => values.names(),
    inputIds: inputIdsInSettings,
  });
}

type BridgeParts = Pick<
  ControllerOptions,
  'context' | 'log' | 'view' | 'registrations' | 'values' | 'known' | 'audit' | 'addedServers'
>;

function createBridge(parts: BridgeParts): BridgeController {
  return new BridgeController({
    ...parts,
    environment: process.env,
    userHome: homedir(),
    inspectLaunch: async (launch) => {
      const { inspectLaunch } = await import('./mcp/launchInspection.ts');
      const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
      return inspectLaunch(launch, folders, parts.log);
    },
    loadHost: async (ports) => {
      const { ServerSupervisor } = await import('./mcp/serverSupervisor.ts');
      return new ServerSupervisor(ports);
    },
    loadClients: async (ports) => {
      const { RegisteredClients } = await import('./mcp/registeredClients.ts');
      return new RegisteredClients(ports);
    },
  });
}

/** What runs the extensions can run JavaScript elsewhere too; on the desktop that is the editor itself, told to be Node. */
function javaScriptRuntime(): { command: string; env: Record<string, string> } {
  const isElectron = process.versions['electron'] !== undefined;
  return { command: process.execPath, env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {} };
}

/** Waits until every server process is gone, and the audit log is written. */
export async function deactivate(): Promise<void> {
  await controller?.stop();
  await flushAudit?.();
  controller = undefined;
}

function registerMetaTools(bridge: BridgeController): vscode.Disposable[] {
  if (typeof vscode.lm?.registerTool !== 'function') return [];
  const source = () => bridge.metaToolSource;
  return [
    vscode.lm.registerTool(metaToolIds.findTools, new FindToolsTool(source)),
    vscode.lm.registerTool(metaToolIds.callTool, new CallToolTool(source)),
  ];
}
