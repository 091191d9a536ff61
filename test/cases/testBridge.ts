import { homedir } from 'node:os';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import { toolManifest } from '../../src/core/manifests/toolManifest.ts';
import type { ConnectionState } from '../../src/core/servers/connectionState.ts';
import type { SignInPorts } from '../../src/core/servers/signIn.ts';
import { parseSettings, type ParsedSettings } from '../../src/core/settings/parseSettings.ts';
import { resolveLaunch, type ResolvedLaunch } from '../../src/core/settings/resolveLaunch.ts';
import type { ServerConfiguration } from '../../src/core/settings/serverConfiguration.ts';
import { CatalogSource } from '../../src/core/tools/catalogSource.ts';
import {
  isCallable,
  type CatalogServer,
  type CatalogTool,
  type ToolCatalog,
} from '../../src/core/tools/toolCatalog.ts';
import { ToolCaller } from '../../src/core/tools/toolCaller.ts';
import { ServerSupervisor } from '../../src/mcp/serverSupervisor.ts';
import { eventually } from '../support/eventually.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { asText, FixtureError } from './fixture.ts';
import { TestClientFeatures } from '../support/clientFeatures.ts';
import { resolvable } from '../support/builders.ts';

/** A tool as the editor gets it: what its manifest declares, and where it comes from. */
export interface ExposedTool {
  readonly original: string;
  readonly exposedName: string;
  readonly displayName: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly tool: CatalogTool;
}

/**
 * The bridge without an editor: from the value of `mcpBridge.servers` through the supervisor, the catalog and the manifests to calls.
 * Stops all servers at the end of its scope.
 */
export class TestBridge implements AsyncDisposable {
  readonly log = new RecordingLogger();
  readonly settings: ParsedSettings;
  readonly host: ServerSupervisor;
  readonly caller: ToolCaller;
  readonly #source: CatalogSource;
  readonly #digests: string[] = [];

  /** `servers`: entries by key, as in the user's settings. Starts those that are set to start. */
  constructor(
    servers: JsonObject,
    resolve: (configuration: ServerConfiguration) => ResolvedLaunch = resolveHome,
    signIn?: SignInPorts,
  ) {
    this.settings = parseSettings([{ origin: { scope: 'user' }, value: servers }]);
    this.host = new ServerSupervisor({
      log: this.log,
      version: '0.0.0',
      toolCache: {
        read: () => undefined,
        write: () => undefined,
        readLists: () => undefined,
        writeLists: () => undefined,
      },
      clientFeatures: new TestClientFeatures(),
      mayLaunch: () => undefined,
      ...(signIn && { signIn }),
    });
    const fail = (error: unknown): void => this.log.error(String(error));
    this.#source = new CatalogSource(this.host, fail);
    this.caller = new ToolCaller(this.host, () => this.catalog);
    this.#source.onDidChangeCatalog((catalog) => this.#noteDigests(catalog));
    this.host.update(
      this.settings.configurations.map((configuration) => ({
        id: configuration.id,
        configuration,
        resolved: resolve(configuration),
      })),
    );
  }

  get catalog(): ToolCatalog {
    return this.#source.catalog;
  }

  /** How often the tools declared to the editor changed, the first declaration included. */
  get registrationChanges(): number {
    return this.#digests.filter((digest, at, all) => digest !== (all[at - 1] ?? '')).length;
  }

  server(key: string): CatalogServer {
    const found = this.catalog.servers.find(({ server }) => server.configuration.key === key);
    if (found !== undefined) return found;
    const problems = this.settings.invalid.flatMap((invalid) => invalid.problems);
    throw new FixtureError(
      `the bridge has no server "${key}": ${problems.map(({ message }) => message).join(' ')}`,
    );
  }

  /** Waits until the server runs and its tools are read, or until it is in error. Bounded by `timeout` milliseconds. */
  settled(key: string, timeout = 60_000): Promise<ConnectionState> {
    return eventually(
      `server "${key}" running or in error`,
      () => {
        const { state, tools } = this.server(key).server;
        if (state.kind === 'error') return state;
        return state.kind === 'running' && tools?.isFromCache === false && state;
      },
      timeout,
    );
  }

  /** The tools of a server that agents can use now, as its manifest declares them. */
  exposed(key: string): ExposedTool[] {
    const server = this.server(key);
    const contributes = toolManifest(server, 'cases')?.packageJson['contributes'];
    const declared = isJsonObject(contributes) ? contributes['languageModelTools'] : undefined;
    return (Array.isArray(declared) ? declared : []).filter(isJsonObject).flatMap((declaration) => {
      const tool = server.tools.find(({ exposedName }) => exposedName === declaration['name']);
      const { inputSchema } = declaration;
      if (tool === undefined || !isCallable(tool) || !isJsonObject(inputSchema)) return [];
      return [
        {
          original: tool.definition.name,
          exposedName: tool.exposedName,
          displayName: asText(declaration['displayName']),
          description: asText(declaration['modelDescription']),
          inputSchema,
          tool,
        },
      ];
    });
  }

  /** What is said to the person about settings, servers and tools: each thing once. */
  warnings(): string[] {
    const problems = [
      ...this.settings.problems,
      ...this.settings.invalid.flatMap((invalid) => invalid.problems),
      ...this.catalog.servers.flatMap((server) => server.problems),
    ];
    const logged = this.log.lines.filter(
      (line) =>
        /^(warn|error): /.test(line) && !problems.some(({ message }) => line.includes(message)),
    );
    return [
      ...new Set([...problems.map(({ where, message }) => `${where}: ${message}`), ...logged]),
    ];
  }

  /** The warnings, and what was repaired in the tools of a server. */
  remarks(key: string): string[] {
    const repairs = this.server(key).tools.flatMap(({ definition, repairs }) =>
      repairs.map(({ where, message }) => `${definition.name} ${where}: ${message}`),
    );
    return [...this.warnings(), ...repairs];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.stopAll();
    this.#source.dispose();
    this.host.dispose();
  }

  #noteDigests({ servers }: ToolCatalog): void {
    const digests = servers.map((server) => toolManifest(server, 'cases')?.digest ?? '');
    this.#digests.push(digests.join(' ').trim());
  }
}

/** Variables as in a window without a folder. */
function resolveHome(configuration: ServerConfiguration): ResolvedLaunch {
  return resolveLaunch(resolvable(configuration), (name) =>
    name === 'userHome' ? homedir() : undefined,
  );
}
