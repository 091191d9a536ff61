import * as vscode from 'vscode';
import { Sequencer } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import type { ClientHost, ClientHostPorts } from '../core/servers/clientHost.ts';
import { AskingServers } from '../core/servers/askingServers.ts';
import { JoinedServers } from '../core/servers/joinedServers.ts';
import type { McpServers } from '../core/servers/mcpServers.ts';
import type { Registrations } from '../core/servers/registrations.ts';
import type { ServerHost, ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import type { KnownSecrets } from '../core/redact.ts';
import type { ParsedSettings, SettingsProblem } from '../core/settings/parseSettings.ts';
import { CatalogSource } from '../core/tools/catalogSource.ts';
import { toolBudget } from '../core/tools/toolBudget.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';
import { ToolCaller } from '../core/tools/toolCaller.ts';
import { ApprovedCaller } from './approvedCaller.ts';
import { BridgedTool } from './bridgedTool.ts';
import { EditorClientFeatures } from './editorClientFeatures.ts';
import { EditorSignIn } from './editorSignIn.ts';
import { ForeignTools } from './foreignTools.ts';
import type { GivenValues } from './givenValues.ts';
import { launchRefusal } from './launchGate.ts';
import { ManifestInstaller } from './manifestInstaller.ts';
import { MementoToolCache } from './mementoToolCache.ts';
import type { MetaToolSource } from './metaTools.ts';
import { NetworkSettings } from './networkSettings.ts';
import { ResultFileStore } from './resultFiles.ts';
import type { ServersView } from './serversView.ts';
import { hasServers, readSettingsLayers, toolBudgetInSettings } from './settingsSource.ts';
import { StoredPastNames } from './storedPastNames.ts';
import { ToolRegistrar } from './toolRegistrar.ts';
import { ValueRequests } from './valueRequests.ts';

export interface ControllerOptions {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly view: ServersView;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly values: GivenValues;
  readonly known: KnownSecrets;
  /** What other extensions have registered. */
  readonly registrations: Registrations;
  /** Loads what talks to servers; called when the first server is configured. */
  readonly loadHost: (ports: ServerHostPorts) => Promise<ServerHost>;
  readonly loadClients: (ports: ClientHostPorts) => Promise<ClientHost>;
}

/** What exists once a server is configured. */
interface Running extends MetaToolSource {
  readonly toolCache: MementoToolCache;
  readonly host: ServerHost;
  readonly clients: ClientHost;
  /** Both of them. */
  readonly servers: McpServers;
  readonly source: CatalogSource;
  readonly installer: ManifestInstaller;
}

/** From settings to offered tools: reads the settings, drives the servers, shows and registers the catalog. */
export class BridgeController implements Disposable {
  readonly #options: ControllerOptions;
  readonly #store = new DisposableStore();
  readonly #sequencer = new Sequencer();
  readonly #onError: (error: unknown) => void;
  #settings: Pick<ParsedSettings, 'invalid' | 'problems'> = { invalid: [], problems: [] };
  #running: Running | undefined;
  readonly #didChangeCatalog: Emitter<void>;
  /** The catalog of `metaToolSource` is another one. */
  readonly onDidChangeCatalog: Event<void>;
  readonly #didReadSettings: Emitter<readonly SettingsProblem[]>;
  /** All that is wrong in settings now. */
  readonly onDidReadSettings: Event<readonly SettingsProblem[]>;
  readonly #valueRequests: ValueRequests;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#onError = (error) => options.log.error(errorMessage(error));
    this.#didChangeCatalog = this.#store.add(new Emitter<void>(this.#onError));
    this.onDidChangeCatalog = this.#didChangeCatalog.event;
    this.#didReadSettings = this.#store.add(new Emitter<readonly SettingsProblem[]>(this.#onError));
    this.onDidReadSettings = this.#didReadSettings.event;
    this.#valueRequests = new ValueRequests(options.values, () => this.reload());
  }

  get servers(): McpServers | undefined {
    return this.#running?.servers;
  }

  get metaToolSource(): MetaToolSource | undefined {
    return this.#running;
  }

  /** Takes over the settings as they are now. */
  reload(): Promise<void> {
    return this.#sequencer.run(() => this.#reload());
  }

  /** Reads the settings and the tool lists of all running servers again. */
  async refreshAll(): Promise<void> {
    await this.reload();
    const servers = this.#running?.servers;
    if (servers === undefined) return;
    const running = servers.servers.filter(({ state }) => state.kind === 'running');
    await Promise.all(running.map(({ configuration }) => servers.refresh(configuration.id)));
  }

  async signIn(id: string, signal: AbortSignal): Promise<void> {
    await this.#running?.host.signIn(id, signal);
  }

  async signOut(id: string): Promise<void> {
    await this.#running?.host.signOut(id);
  }

  async removeManifests(): Promise<number> {
    const { installer } = this.#running ?? {};
    if (installer !== undefined) return installer.removeAll();
    return this.#store.add(this.#createInstaller()).removeAll();
  }

  /** Stops all servers; resolves when their processes are gone. */
  async stop(): Promise<void> {
    await this.#running?.host.stopAll();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #reload(): Promise<void> {
    const { registrations } = this.#options;
    const layers = [...registrations.layers, ...readSettingsLayers()];
    this.#options.view.setMessage(vscode.workspace.isTrusted ? undefined : restrictedMessage);
    if (this.#running === undefined && !hasServers(layers)) {
      this.#options.view.show(undefined, this.#settings);
      return;
    }
    const { readServers } = await import('./readServers.ts');
    const read = await readServers(layers, this.#options);
    const { parsed, wanted, clients } = read;
    this.#report(parsed);
    this.#valueRequests.update(wanted, read.findInput);
    this.#didReadSettings.fire(read.problems);
    if (this.#running === undefined) this.#running = await this.#createRunning(wanted);
    else this.#running.host.update(wanted);
    this.#running.clients.update(clients);
    // In Restricted Mode we do not know the servers of the workspace, and a wrong entry may be corrected.
    if (vscode.workspace.isTrusted && parsed.invalid.length === 0) {
      this.#running.toolCache.retain(new Set(wanted.map(({ id }) => id)));
    }
    this.#options.view.show(this.#running.catalog, this.#settings);
  }

  async #createRunning(wanted: readonly WantedServer[]): Promise<Running> {
    const { context, log, loadHost, loadClients } = this.#options;
    const toolCache = new MementoToolCache(context, this.#onError);
    const host = this.#store.add(
      await loadHost({
        log,
        version: String(context.extension.packageJSON.version),
        toolCache,
        eras: toolCache,
        network: this.#store.add(new NetworkSettings()),
        clientFeatures: this.#store.add(new EditorClientFeatures(this.#onError)),
        signIn: this.#store.add(new EditorSignIn(context, this.#onError)),
        mayLaunch: launchRefusal,
      }),
    );
    const clients = this.#store.add(await loadClients({ log, mayLaunch: launchRefusal }));
    host.update(wanted);
    const servers = new AskingServers(new JoinedServers([host, clients]), (id, signal) =>
      this.#valueRequests.prepare(id, signal),
    );
    const foreign = this.#store.add(new ForeignTools(() => source.invalidate()));
    const budget = (): number => toolBudget(toolBudgetInSettings(), foreign.count);
    const source: CatalogSource = this.#store.add(
      new CatalogSource(servers, this.#onError, budget),
    );
    const past = new StoredPastNames(context.workspaceState, this.#onError);
    const files = this.#store.add(new ResultFileStore(context, this.#onError));
    const ports = {
      pastNames: past.names,
      files,
      warn: (message: string): void => log.warn(message),
    };
    const caller = new ApprovedCaller(new ToolCaller(servers, () => source.catalog, ports));
    const installer = this.#store.add(this.#createInstaller());
    const registrar = this.#createRegistrar(installer, caller);
    const apply = (catalog: ToolCatalog): void => {
      past.update(catalog);
      this.#options.view.show(catalog, this.#settings);
      registrar?.apply(catalog);
      this.#didChangeCatalog.fire();
    };
    apply(source.catalog);
    this.#store.add(source.onDidChangeCatalog(apply));
    return {
      toolCache,
      host,
      clients,
      servers,
      source,
      caller,
      installer,
      get catalog() {
        return source.catalog;
      },
    };
  }

  #createInstaller(): ManifestInstaller {
    const { context, log } = this.#options;
    const installer = new ManifestInstaller(context, log);
    this.#store.add(
      installer.onDidRefuse((reason) => {
        const message = `This editor does not let MCP Bridge declare tools (${reason}). Agents reach them through the tools "Find MCP Tools" and "Call MCP Tool" instead.`;
        log.warn(message);
        void vscode.window.showWarningMessage(message);
      }),
    );
    return installer;
  }

  /** Some editors built on VS Code have no language-model tools; there the view is all there is. */
  #createRegistrar(
    installer: ManifestInstaller,
    caller: ApprovedCaller,
  ): ToolRegistrar | undefined {
    if (typeof vscode.lm?.registerTool === 'function') {
      return this.#store.add(
        new ToolRegistrar(installer, (name) => new BridgedTool(name, caller), this.#onError),
      );
    }
    const message =
      'This editor has no language-model tool API, so its agents cannot use the tools of MCP servers. The MCP Bridge view works.';
    this.#options.log.warn(message);
    void vscode.window.showWarningMessage(message);
    return undefined;
  }

  #report(parsed: ParsedSettings): void {
    const said = new Set(problemsOf(this.#settings));
    for (const message of problemsOf(parsed)) {
      if (!said.has(message)) this.#options.log.warn(message);
    }
    this.#settings = parsed;
  }
}

/** The editor does not even tell us what stands in the settings of a workspace that is not trusted. */
const restrictedMessage =
  'Restricted Mode: servers from the settings of this workspace are off until you trust it.';

function problemsOf({ invalid, problems }: Pick<ParsedSettings, 'invalid' | 'problems'>): string[] {
  return [...problems, ...invalid.flatMap((server) => server.problems)].map(
    ({ message }) => message,
  );
}
