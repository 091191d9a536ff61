import * as vscode from 'vscode';
import type { DisposableStore } from '../base/disposable.ts';
import type { ClientHost } from '../core/servers/clientHost.ts';
import { AskingServers } from '../core/servers/askingServers.ts';
import { JoinedServers } from '../core/servers/joinedServers.ts';
import type { McpServers } from '../core/servers/mcpServers.ts';
import type { ServerHost } from '../core/servers/serverHost.ts';
import { CatalogSource } from '../core/tools/catalogSource.ts';
import { toolBudget } from '../core/tools/toolBudget.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';
import { ToolCaller } from '../core/tools/toolCaller.ts';
import { ApprovedCaller } from './approvedCaller.ts';
import type { ControllerOptions } from './bridgeController.ts';
import { BridgedTool } from './bridgedTool.ts';
import { EditorClientFeatures } from './editorClientFeatures.ts';
import { EditorSignIn } from './editorSignIn.ts';
import { ForeignTools } from './foreignTools.ts';
import { launchRefusal } from './launchGate.ts';
import { ManifestInstaller } from './manifestInstaller.ts';
import { MementoToolCache } from './mementoToolCache.ts';
import type { MetaToolSource } from './metaTools.ts';
import { NetworkSettings } from './networkSettings.ts';
import { Pins } from './pins/pins.ts';
import { ResultFileStore } from './resultFiles.ts';
import { SealedState } from './sealedState.ts';
import { toolBudgetInSettings } from './settingsSource.ts';
import { StoredPastNames } from './storedPastNames.ts';
import { ToolRegistrar } from './toolRegistrar.ts';
import type { LaunchReview } from './trust/launchReview.ts';
import type { ValueRequests } from './valueRequests.ts';

/** What exists once a server is configured. */
export interface Running extends MetaToolSource {
  readonly toolCache: MementoToolCache;
  readonly host: ServerHost;
  readonly clients: ClientHost;
  /** Both of them. */
  readonly servers: McpServers;
  readonly source: CatalogSource;
  readonly budget: () => number;
  readonly installer: ManifestInstaller;
  readonly pins: Pins;
  readonly launches: LaunchReview;
}

interface RunningPorts {
  /** Owns all that is made. */
  readonly store: DisposableStore;
  readonly onError: (error: unknown) => void;
  /** Takes over the settings as they are now. */
  readonly reload: () => Promise<void>;
  readonly valueRequests: ValueRequests;
  readonly onCatalog: (catalog: ToolCatalog) => void;
}

/** Puts together what drives servers and offers their tools. No server is started yet. */
export async function createRunning(
  options: ControllerOptions,
  { store, onError, reload, valueRequests, onCatalog }: RunningPorts,
): Promise<Running> {
  const { context, log, loadHost, loadClients, audit } = options;
  const toolCache = new MementoToolCache(context, onError);
  const state = await SealedState.open(context, onError);
  const { pins, approvals, launches } = await createReviews(options, state, onError, reload);
  store.add(pins);
  const host = store.add(
    await loadHost({
      log,
      version: String(context.extension.packageJSON.version),
      toolCache,
      eras: toolCache,
      network: store.add(new NetworkSettings()),
      clientFeatures: store.add(new EditorClientFeatures(onError)),
      signIn: store.add(new EditorSignIn(context, onError)),
      mayLaunch: async ({ configuration, resolved }) => {
        const refusal = launchRefusal(configuration);
        if (refusal !== undefined) return refusal;
        // Without a launch there is nothing to approve, and the reason is said by whoever has it.
        if (resolved === undefined || !('launch' in resolved)) return undefined;
        return approvals.refusal({ configuration, launch: resolved.launch });
      },
    }),
  );
  const clients = store.add(await loadClients({ log, mayLaunch: launchRefusal }));
  const servers = new AskingServers(new JoinedServers([host, clients]), async (id, signal) => {
    await valueRequests.prepare(id, signal);
    // Only a person's order asks: a call of an agent gets the reason why the server does not start.
    if (signal === undefined && (await launches.ask(id))) await reload();
  });
  const foreign = store.add(new ForeignTools(() => source.invalidate()));
  const budget = (): number => toolBudget(toolBudgetInSettings(), foreign.count);
  const source: CatalogSource = store.add(
    new CatalogSource(servers, onError, budget, pins.store.pinsOf),
  );
  const past = new StoredPastNames(context.workspaceState, onError);
  const ports = {
    pastNames: past.names,
    files: store.add(new ResultFileStore(context, onError)),
    warn: (message: string): void => log.warn(message),
  };
  const caller = new ApprovedCaller(
    new ToolCaller(servers, () => source.catalog, ports),
    audit,
    options.known,
  );
  const installer = createInstaller(options, store);
  const registrar = createRegistrar(options, { store, onError, installer, caller });
  const apply = (catalog: ToolCatalog): void => {
    past.update(catalog);
    pins.update(catalog);
    registrar?.apply(catalog);
    onCatalog(catalog);
  };
  store.add(pins.onDidChange(() => source.invalidate()));
  store.add(source.onDidChangeCatalog(apply));
  return {
    ...{ toolCache, host, clients, servers, source, budget, caller, installer, pins, launches },
    get catalog() {
      return source.catalog;
    },
  };
}

/** What keeps the person's decisions about servers and tools. */
async function createReviews(
  { context, audit, inspectLaunch, known, addedServers: added }: ControllerOptions,
  state: SealedState,
  onError: (error: unknown) => void,
  reload: () => Promise<void>,
) {
  const [{ PinStore }, { LaunchApprovals }, { LaunchReview }] = await Promise.all([
    import('./pins/pinStore.ts'),
    import('./trust/launchApprovals.ts'),
    import('./trust/launchReview.ts'),
  ]);
  const pins = new Pins({ store: new PinStore(state, context.globalStorageUri), audit, onError });
  const approvals = new LaunchApprovals(state, inspectLaunch, known.mask);
  return {
    pins,
    approvals,
    launches: new LaunchReview({ approvals, audit, added, reload, onError }),
  };
}

export function createInstaller(
  { context, log }: Pick<ControllerOptions, 'context' | 'log'>,
  store: DisposableStore,
): ManifestInstaller {
  const installer = store.add(new ManifestInstaller(context, log));
  store.add(
    installer.onDidRefuse((reason) => {
      const message = `This editor does not let MCP Bridge declare tools (${reason}). Agents reach them through the tools "Find MCP Tools" and "Call MCP Tool" instead.`;
      log.warn(message);
      void vscode.window.showWarningMessage(message);
    }),
  );
  return installer;
}

interface RegistrarPorts extends Pick<RunningPorts, 'store' | 'onError'> {
  readonly installer: ManifestInstaller;
  readonly caller: ApprovedCaller;
}

/** Some editors built on VS Code have no language-model tools; there the view is all there is. */
function createRegistrar(
  { log }: Pick<ControllerOptions, 'log'>,
  { store, onError, installer, caller }: RegistrarPorts,
): ToolRegistrar | undefined {
  if (typeof vscode.lm?.registerTool === 'function') {
    const implement = (name: string): BridgedTool => new BridgedTool(name, caller);
    return store.add(new ToolRegistrar(installer, implement, onError));
  }
  const message =
    'This editor has no language-model tool API, so its agents cannot use the tools of MCP servers. The MCP Bridge view works.';
  log.warn(message);
  void vscode.window.showWarningMessage(message);
  return undefined;
}
