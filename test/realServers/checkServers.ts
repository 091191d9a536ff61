import { mkdir } from 'node:fs/promises';
import { errorMessage } from '../../src/base/errors.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import { buildCatalog, type CatalogServer } from '../../src/core/tools/toolCatalog.ts';
import { TestSupervisor } from '../support/supervisors.ts';
import {
  argumentCheckProblems,
  exampleProblems,
  manifestProblems,
  nameProblems,
  parameterProblems,
  registrationProblems,
  schemaProblems,
} from './catalogProblems.ts';
import type { Checks } from './checks.ts';
import { forEach } from './forEach.ts';
import { serverFolder, wantedServers, type InstalledServer } from './realBridge.ts';
import type { RealServer } from './servers.ts';
import { visitServer, type Visit } from './visitServer.ts';

/** What came of one server. */
export interface ServerReport extends Visit {
  readonly server: RealServer;
  readonly catalog: CatalogServer;
}

export interface CheckOptions {
  readonly checks: Checks;
  /** An empty folder. */
  readonly folder: string;
  /** Added to the environment of every server. */
  readonly env: Readonly<Record<string, string>>;
  /** How many servers run at the same time. */
  readonly atOnce: number;
  /** Aborted when the whole run is out of time. */
  readonly signal: AbortSignal;
}

/** Longest time for one server, in milliseconds. */
const serverTimeout = 60_000;

/** Starts each server through the bridge, then looks at the catalog of all of them. Every process is gone afterwards. */
export async function checkServers(
  installed: readonly InstalledServer[],
  options: CheckOptions,
): Promise<ServerReport[]> {
  const { checks, atOnce } = options;
  await using bridge = new TestSupervisor();
  const wanted = wantedServers(installed, { ...options, start: 'manual' });
  bridge.host.update(wanted);
  const visits = new Map<string, Visit>();
  await forEach(wanted, atOnce, async (entry) => {
    const { key } = entry.configuration;
    const server = installed.find((candidate) => candidate.server.key === key)?.server;
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(serverTimeout)]);
    // Cuts every wait for this server short.
    const stop = (): void => void bridge.host.stop(entry.id);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      if (server === undefined) throw new Error('it is not installed');
      await mkdir(serverFolder(options.folder, key), { recursive: true });
      visits.set(key, await visitServer(server, entry, { bridge, checks, signal }));
    } catch (error: unknown) {
      checks.add(`${key}: is read`, [errorMessage(error)]);
    }
    signal.removeEventListener('abort', stop);
    await bridge.host.stop(entry.id);
  });
  checkAll(bridge.host.servers, checks);
  const catalog = buildCatalog(bridge.host.servers);
  return installed.flatMap(({ server }): ServerReport[] => {
    const found = catalog.servers.find((one) => one.server.configuration.key === server.key);
    const visit = visits.get(server.key);
    if (found === undefined || visit === undefined) return [];
    checkOne(server.key, found, checks);
    return [{ server, catalog: found, ...visit }];
  });
}

function checkAll(servers: readonly McpServer[], checks: Checks): void {
  const catalog = buildCatalog(servers);
  checks.add('all: names are unique and allowed', nameProblems(catalog));
  checks.add('all: every server has a manifest of its own', manifestProblems(catalog));
  // Without prefixes the names of different servers collide for real.
  const bare = buildCatalog(
    servers.map((server) => ({
      ...server,
      configuration: { ...server.configuration, prefix: '' },
    })),
  );
  checks.add('all, without prefixes: names are unique and allowed', nameProblems(bare));
  checks.add(
    'all, without prefixes: every tool is registered',
    bare.servers.flatMap((server) => registrationProblems(server)),
  );
}

function checkOne(key: string, catalog: CatalogServer, checks: Checks): void {
  checks.add(
    `${key}: every tool is registered or left out with a reason`,
    registrationProblems(catalog),
  );
  checks.add(`${key}: strict model APIs take every schema`, schemaProblems(catalog));
  checks.add(`${key}: models get every parameter`, parameterProblems(catalog));
  checks.add(`${key}: the arguments of every tool are checked`, argumentCheckProblems(catalog));
  checks.add(`${key}: arguments that fit the model's schema pass`, exampleProblems(catalog));
}
