import { mkdir } from 'node:fs/promises';
import { toolManifest } from '../../src/core/manifests/toolManifest.ts';
import { CatalogSource } from '../../src/core/tools/catalogSource.ts';
import { eventually } from '../support/eventually.ts';
import { TestSupervisor } from '../support/supervisors.ts';
import {
  serverFolder,
  wantedServers,
  type InstalledServer,
  type SettingsOptions,
} from './realBridge.ts';

/** Longest time until all servers have told their tools, in milliseconds. */
const patience = 120_000;

/** Milliseconds since the settings were handed over. */
export interface TogetherTimes {
  readonly servers: number;
  readonly firstTools: number;
  /** Every server runs with its tools read, or is in error. */
  readonly allTools: number;
  /** … and the manifests of all are made. */
  readonly allManifests: number;
  readonly tools: number;
}

/** Starts all servers at the same time, as the editor does, and measures until every tool is ready to be declared. */
export async function startTogether(
  installed: readonly InstalledServer[],
  options: Omit<SettingsOptions, 'start'> & { readonly signal: AbortSignal },
): Promise<TogetherTimes> {
  for (const { server } of installed) {
    await mkdir(serverFolder(options.folder, server.key), { recursive: true });
  }
  await using bridge = new TestSupervisor();
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  let firstTools: number | undefined;
  const source = new CatalogSource(bridge.host, (error) => {
    throw error;
  });
  source.onDidChangeCatalog(({ tools }) => {
    if (tools.size > 0) firstTools ??= elapsed();
  });
  try {
    bridge.host.update(wantedServers(installed, { ...options, start: 'auto' }));
    await eventually(
      'all servers have told their tools',
      () => {
        options.signal.throwIfAborted();
        return bridge.host.servers.every(
          ({ state, tools }) =>
            state.kind === 'error' || (state.kind === 'running' && tools !== undefined),
        );
      },
      patience,
    );
    const allTools = elapsed();
    const failed = bridge.host.servers.flatMap(({ configuration, state }) =>
      state.kind === 'error' ? [`${configuration.key}: ${state.message}`] : [],
    );
    if (failed.length > 0) throw new Error(failed.join('\n'));
    const { servers, tools } = source.catalog;
    for (const server of servers) toolManifest(server, 'file:///workspace');
    return {
      servers: servers.length,
      firstTools: firstTools ?? Number.NaN,
      allTools,
      allManifests: elapsed(),
      tools: tools.size,
    };
  } finally {
    source.dispose();
  }
}
