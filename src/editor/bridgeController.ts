import * as vscode from 'vscode';
import { Sequencer } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import type { AuditPort } from '../core/audit/auditPort.ts';
import type { ClientHost, ClientHostPorts } from '../core/servers/clientHost.ts';
import type { McpServers } from '../core/servers/mcpServers.ts';
import type { Registrations } from '../core/servers/registrations.ts';
import type { ServerHost, ServerHostPorts } from '../core/servers/serverHost.ts';
import type { KnownSecrets } from '../core/redact.ts';
import type { ParsedSettings, SettingsProblem } from '../core/settings/parseSettings.ts';
import { createInstaller, createRunning, type Running } from './createRunning.ts';
import type { GivenValues } from './givenValues.ts';
import type { KnownServers, KnownServersSource } from './knownServers.ts';
import type { MetaToolSource } from './metaTools.ts';
import type { Pins } from './pins/pins.ts';
import type { ServersView } from './serversView.ts';
import { hasServers, readSettingsLayers } from './settingsSource.ts';
import type { InspectLaunch } from './trust/launchApprovals.ts';
import type { LaunchReview } from './trust/launchReview.ts';
import { ValueRequests } from './valueRequests.ts';

export interface ControllerOptions {
  readonly context: vscode.ExtensionContext;
  readonly log: Logger;
  readonly view: ServersView;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly values: GivenValues;
  readonly known: KnownSecrets;
  readonly audit: AuditPort;
  /** Ids of entries that the person is just adding: of those in a workspace, the launch is asked about at once. */
  readonly addedServers: Set<string>;
  /** Looks at what a launch would run, without running it. */
  readonly inspectLaunch: InspectLaunch;
  /** What other extensions have registered. */
  readonly registrations: Registrations;
  /** Loads what talks to servers; called when the first server is configured. */
  readonly loadHost: (ports: ServerHostPorts) => Promise<ServerHost>;
  readonly loadClients: (ports: ClientHostPorts) => Promise<ClientHost>;
}

/** From settings to offered tools: reads the settings, drives the servers, shows and registers the catalog. */
export class BridgeController implements KnownServersSource, Disposable {
  readonly #options: ControllerOptions;
  readonly #store = new DisposableStore();
  readonly #sequencer = new Sequencer();
  readonly #onError: (error: unknown) => void;
  #settings: Pick<ParsedSettings, 'invalid' | 'problems'> = { invalid: [], problems: [] };
  #running: Running | undefined;
  readonly #didChangeCatalog: Emitter<void>;
  /** The catalog of `metaToolSource` is another one. */
  readonly onDidChangeCatalog: Event<void>;
  readonly #didReadSettings: Emitter<void>;
  readonly onDidReadSettings: Event<void>;
  /** All that is wrong in settings now. */
  #problems: readonly SettingsProblem[] = [];
  readonly #valueRequests: ValueRequests;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#onError = (error) => options.log.error(errorMessage(error));
    this.#didChangeCatalog = this.#store.add(new Emitter<void>(this.#onError));
    this.onDidChangeCatalog = this.#didChangeCatalog.event;
    this.#didReadSettings = this.#store.add(new Emitter<void>(this.#onError));
    this.onDidReadSettings = this.#didReadSettings.event;
    this.#valueRequests = new ValueRequests(options.values, () => this.reload());
  }

  get servers(): McpServers | undefined {
    return this.#running?.servers;
  }

  get metaToolSource(): MetaToolSource | undefined {
    return this.#running;
  }

  get known(): KnownServers {
    const { catalog, budget } = this.#running ?? {};
    const { invalid } = this.#settings;
    return { catalog, invalid, problems: this.#problems, budget: budget?.() ?? 0 };
  }

  /** What of the launches of workspace servers is approved. */
  get launches(): LaunchReview | undefined {
    return this.#running?.launches;
  }

  /** What was accepted of what servers say. */
  get pins(): Pins | undefined {
    return this.#running?.pins;
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
    return createInstaller(this.#options, this.#store).removeAll();
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
    this.#problems = read.problems;
    this.#report(parsed);
    this.#valueRequests.update(wanted, read.findInput);
    this.#running ??= await this.#createRunning();
    this.#running.launches.update(wanted);
    this.#running.host.update(wanted);
    this.#running.clients.update(clients);
    // In Restricted Mode we do not know the servers of the workspace, and a wrong entry may be corrected.
    if (vscode.workspace.isTrusted && parsed.invalid.length === 0) {
      this.#running.toolCache.retain(new Set(wanted.map(({ id }) => id)));
      await this.#running.pins.store.retain(wanted.map(({ configuration }) => configuration));
    }
    this.#options.view.show(this.#running.catalog, this.#settings);
    this.#didReadSettings.fire();
  }

  #createRunning(): Promise<Running> {
    return createRunning(this.#options, {
      store: this.#store,
      onError: this.#onError,
      reload: () => this.reload(),
      valueRequests: this.#valueRequests,
      onCatalog: (catalog) => {
        this.#options.view.show(catalog, this.#settings);
        this.#didChangeCatalog.fire();
      },
    });
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
