import { homedir } from 'node:os';
import process from 'node:process';
import * as vscode from 'vscode';
import type { McpBridgeApi } from './api.ts';
import { errorMessage } from './base/errors.ts';
import { rewritten } from './base/log.ts';
import { KnownSecrets } from './core/redact.ts';
import { Registrations } from './core/servers/registrations.ts';
import { BridgeApi } from './editor/bridgeApi.ts';
import { BridgeController, type ControllerOptions } from './editor/bridgeController.ts';
import { registerCommands } from './editor/commands.ts';
import { metaToolIds, resourceScheme } from './editor/contributionIds.ts';
import { CallToolTool, FindToolsTool } from './editor/metaTools.ts';
import { GivenValues } from './editor/givenValues.ts';
import { ResourceFiles } from './editor/resourceFiles.ts';
import { ServersView } from './editor/serversView.ts';
import { SampleServer } from './editor/sampleServer.ts';
import { SettingsHelp } from './editor/settingsHelp/settingsHelp.ts';
import { ToolPages } from './editor/toolPage/toolPages.ts';
import { setToolWanted } from './editor/toolToggles.ts';
import { StatusBar } from './editor/status/statusBar.ts';
import { inputIdsInSettings, onDidChangeSettings } from './editor/settingsSource.ts';

let controller: BridgeController | undefined;

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
  const bridge = createBridge({ context, log, view, registrations, values, known });
  controller = bridge;
  const bridgeApi = new BridgeApi({
    registrations,
    reload: () => bridge.reload(),
    source: () => bridge.metaToolSource,
    onDidChangeCatalog: bridge.onDidChangeCatalog,
    onError,
  });
  const help = new SettingsHelp(bridge, {
    known: () => bridge.known,
    environmentNames: () => Object.keys(process.env),
    secretNames: () => values.names(),
    inputIds: inputIdsInSettings,
  });
  const files = new ResourceFiles(() => bridge.servers);
  const sample = new SampleServer({
    ...{ context, registrations },
    runtime: javaScriptRuntime(),
    reload: () => bridge.reload(),
  });
  const pages = new ToolPages(bridge, context.extensionUri, onError);
  context.subscriptions.push(
    channel,
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
      ...{ sample, pages },
      report: {
        known: () => bridge.known,
        userHome: homedir(),
        platform: `${process.platform} ${process.arch}`,
        mask: known.mask,
        context,
      },
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

type BridgeParts = Pick<
  ControllerOptions,
  'context' | 'log' | 'view' | 'registrations' | 'values' | 'known'
>;

function createBridge(parts: BridgeParts): BridgeController {
  return new BridgeController({
    ...parts,
    environment: process.env,
    userHome: homedir(),
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

/** Waits until every server process is gone. */
export async function deactivate(): Promise<void> {
  await controller?.stop();
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
