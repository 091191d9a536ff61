import { ServerSupervisor } from '../../src/mcp/serverSupervisor.ts';
import type { OpenSession } from '../../src/mcp/sessionOpener.ts';
import type { StartGate } from '../../src/mcp/startGate.ts';
import type { ConnectionState } from '../../src/core/servers/connectionState.ts';
import type { NetworkPorts } from '../../src/core/network/networkPorts.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import type { ServerHostPorts, WantedServer } from '../../src/core/servers/serverHost.ts';
import type {
  ServerConfiguration,
  ServerLaunch,
} from '../../src/core/settings/serverConfiguration.ts';
import { toolResult } from '../../src/core/results/toolResult.ts';
import { defaultLimits } from '../../src/core/settings/limits.ts';
import type { ToolCallOutcome } from '../../src/core/tools/toolCall.ts';
import type { ToolDefinition } from '../../src/core/tools/toolDefinition.ts';
import { configurationOf } from './builders.ts';
import { TestClientFeatures } from './clientFeatures.ts';
import { eventually } from './eventually.ts';
import { RecordingLogger } from './recordingLogger.ts';

const timeouts = { connect: 20, call: 20, total: 20 };

export function wantedOf(
  key: string,
  launch: ServerLaunch,
  members: Partial<ServerConfiguration> = {},
): WantedServer {
  const configuration = configurationOf(key, { launch, timeouts, ...members });
  return { id: configuration.id, configuration, resolved: { launch } };
}

/** A supervisor with everything it needs, and shorthands by settings key. Stops all its servers at the end of its scope. */
export class TestSupervisor implements AsyncDisposable {
  readonly log = new RecordingLogger();
  readonly cache = new Map<string, unknown>();
  readonly listCache = new Map<string, unknown>();
  /** Why a server may not be launched, by key. */
  readonly refusals = new Map<string, string>();
  readonly features = new TestClientFeatures();
  readonly host: ServerSupervisor;

  /** `open` and `gate` take the place of real sessions and of the usual gate. */
  constructor(open?: OpenSession, gate?: StartGate, network?: NetworkPorts) {
    const ports: ServerHostPorts = {
      log: this.log,
      version: '0.0.0',
      toolCache: {
        read: ({ key }) => this.cache.get(key),
        write: ({ key }, tools: readonly ToolDefinition[]) => void this.cache.set(key, tools),
        readLists: ({ key }) => this.listCache.get(key),
        writeLists: ({ key }, lists) => void this.listCache.set(key, lists),
      },
      clientFeatures: this.features,
      mayLaunch: ({ configuration: { key } }) => this.refusals.get(key),
      ...(network !== undefined && { network }),
    };
    this.host = new ServerSupervisor(ports, open, gate);
  }

  server(key: string): McpServer | undefined {
    return this.host.servers.find(({ configuration }) => configuration.key === key);
  }

  kind(key: string): ConnectionState['kind'] | undefined {
    return this.server(key)?.state.kind;
  }

  toolNames(key: string): string[] | undefined {
    return this.server(key)?.tools?.tools.map(({ name }) => name);
  }

  pid(key: string): number | undefined {
    const state = this.server(key)?.state;
    return state?.kind === 'running' ? state.pid : undefined;
  }

  /** Waits until the server runs and its tools are read. */
  async ready(...keys: readonly string[]): Promise<void> {
    await eventually(
      `${keys.join(', ')} ready`,
      () =>
        keys.every((key) => {
          const server = this.server(key);
          return server?.state.kind === 'running' && server.tools?.isFromCache === false;
        }),
      20_000,
    );
  }

  async call(key: string, tool: string, args: object = {}): Promise<ToolCallOutcome> {
    const answer = await this.host.callTool({
      serverId: `user/${key}`,
      tool,
      arguments: args as Record<string, never>,
      signal: new AbortController().signal,
    });
    if (answer.kind === 'failure') return answer;
    const shaped = await toolResult(answer.result, { server: key, tool, limits: defaultLimits });
    return { kind: 'result', ...shaped, warnings: [] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.stopAll();
    this.host.dispose();
  }
}
