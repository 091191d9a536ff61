import { setTimeout as pause } from 'node:timers/promises';
import { parseSettings } from '../../src/core/settings/parseSettings.ts';
import { resolveLaunch } from '../../src/core/settings/resolveLaunch.ts';
import type { ServerConfiguration } from '../../src/core/settings/serverConfiguration.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import type { WantedServer } from '../../src/core/servers/serverHost.ts';
import { pinnedNode } from '../host/repository.ts';
import type { TestSupervisor } from '../support/supervisors.ts';
import type { RealServer } from './servers.ts';
import { resolvable } from '../support/builders.ts';

/** A server and the script that is its program. */
export interface InstalledServer {
  readonly server: RealServer;
  readonly script: string;
}

/** Longest handshake, in seconds. */
const connectSeconds = 30;
/** The tool list counts as complete when it has not changed for so long. */
const quietMs = 1000;
const maxQuietMs = 10_000;

export interface SettingsOptions {
  /** Folder below which each server gets a folder of its own, its home. */
  readonly folder: string;
  readonly start: ServerConfiguration['start'];
  /** Added to the environment of every server. */
  readonly env: Readonly<Record<string, string>>;
}

/** The value a person would write under `mcpBridge.servers`. */
function settingsOf(installed: readonly InstalledServer[], { start, env }: SettingsOptions) {
  return Object.fromEntries(
    installed.map(({ server, script }) => [
      server.key,
      {
        command: pinnedNode,
        args: [script, ...(server.args ?? [])],
        env: { HOME: '${workspaceFolder}', ...server.env, ...env },
        start,
        timeouts: { connect: connectSeconds },
      },
    ]),
  );
}

/** The servers as the extension makes them of those settings. Throws when it objects to any. */
export function wantedServers(
  installed: readonly InstalledServer[],
  options: SettingsOptions,
): WantedServer[] {
  const value = settingsOf(installed, options);
  const { configurations, invalid, problems } = parseSettings([
    { origin: { scope: 'user' }, value },
  ]);
  const objections = [...problems, ...invalid.flatMap((server) => server.problems)];
  if (objections.length > 0) throw new Error(objections.map(({ message }) => message).join(' '));
  return configurations.map((configuration) => ({
    id: configuration.id,
    configuration,
    resolved: resolveLaunch(resolvable(configuration), (name) =>
      name === 'workspaceFolder' ? serverFolder(options.folder, configuration.key) : undefined,
    ),
  }));
}

export function serverFolder(folder: string, key: string): string {
  return `${folder}/${key}`;
}

/** Waits until a server that was started has not changed its tools for a while; resolves with what it then is. */
export async function quietServer(bridge: TestSupervisor, key: string): Promise<McpServer> {
  const deadline = performance.now() + maxQuietMs;
  let tools = bridge.server(key)?.tools;
  for (let since = performance.now(); performance.now() < deadline; await pause(50)) {
    const now = bridge.server(key)?.tools;
    if (now !== tools) {
      tools = now;
      since = performance.now();
    }
    if (performance.now() - since > quietMs) break;
  }
  const server = bridge.server(key);
  if (server === undefined) throw new Error(`There is no server "${key}".`);
  return server;
}
