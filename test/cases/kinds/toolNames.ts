import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { toolManifest } from '../../../src/core/manifests/toolManifest.ts';
import type { McpServer, McpServers } from '../../../src/core/servers/mcpServers.ts';
import { parseSettings } from '../../../src/core/settings/parseSettings.ts';
import type { SettingsScope } from '../../../src/core/settings/serverConfiguration.ts';
import {
  buildCatalog,
  isCallable,
  type CatalogServer,
  type CatalogTool,
} from '../../../src/core/tools/toolCatalog.ts';
import { ToolCaller } from '../../../src/core/tools/toolCaller.ts';
import { readTools } from '../../../src/core/tools/toolDefinition.ts';
import { asText, FixtureError, expand, objectsOf, textsOf, type Fixture } from '../fixture.ts';
import {
  assertKnown,
  isSameSet,
  runChecks,
  type Check,
  type Checks,
  type Report,
} from '../report.ts';

/** A server of the fixture: settings key and the names its tool list holds, of any type. */
interface NamedServer {
  readonly name: string;
  readonly tools: readonly JsonValue[];
}

interface Exposed extends Pick<CatalogTool, 'exposedName'> {
  readonly server: string;
  readonly original: string;
  readonly displayName: string;
}

interface Seen {
  readonly input: readonly NamedServer[];
  readonly exposed: readonly Exposed[];
  readonly warnings: readonly string[];
  /** `server id`, `tool` of the calls made with each exposed name, in the order of `exposed`. */
  readonly routes: readonly string[];
}

export async function runToolNames({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['servers']);
  const servers = serversOf(expand(input['servers'] ?? null));
  const { exposed, warnings, catalog } = nameTools(servers);
  const calls: string[] = [];
  const caller = new ToolCaller(recordingServers(calls), () => catalog);
  for (const { exposedName } of exposed) {
    const before = calls.length;
    await caller.call(exposedName, {}, new AbortController().signal);
    if (calls.length === before) calls.push(`${exposedName} reached nothing`);
  }
  runChecks(expect, checks, { input: servers, exposed, warnings, routes: calls }, report);
}

const checks: Checks<Seen> = {
  exposedCount: (expected, { exposed }, report) =>
    report.equal('exposedCount', expected, exposed.length),
  namePattern: (expected, { exposed }, report) => {
    const pattern = new RegExp(asText(expected), 'u');
    for (const { exposedName } of exposed) {
      report.check(pattern.test(exposedName), 'namePattern', expected, exposedName);
    }
  },
  unique: (expected, { exposed }, report) => {
    const names = exposed.map(({ exposedName }) => exposedName);
    report.isTrue('unique', expected, new Set(names).size === names.length);
  },
  routes: (expected, { exposed, routes }, report) => {
    if (expected !== 'original') throw new FixtureError('"routes" is known as "original" only.');
    const wanted = exposed.map(({ server, original }) => route(server, original));
    report.equal('routes', wanted, routes);
  },
  displayKeepsOriginal: (expected, { exposed }, report) => {
    const lost = exposed.filter(({ original, displayName }) => !displayName.includes(original));
    report.check(expected === (lost.length === 0), 'displayKeepsOriginal', expected, lost);
  },
  stableUnderReorder: stable('stableUnderReorder', (servers) => [
    servers.toReversed(),
    ...servers.map((_server, at) => [...servers.slice(at), ...servers.slice(0, at)]),
  ]),
  stableAcrossRestart: stable('stableAcrossRestart', (servers) => [structuredClone(servers)]),
  forbiddenPrefixes: (expected, { exposed }, report) => {
    for (const prefix of textsOf(expected, 'forbiddenPrefixes')) {
      const wrong = exposed.filter(({ exposedName }) => exposedName.startsWith(prefix));
      report.check(wrong.length === 0, 'forbiddenPrefixes', `none with ${prefix}`, wrong);
    }
  },
  skipped: (expected, { input, exposed }, report) => {
    const skipped = input.flatMap(({ name, tools }) =>
      tools
        .filter((tool) => !exposed.some((one) => one.server === name && one.original === tool))
        .map((tool) => ({ server: name, tool })),
    );
    if (typeof expected === 'number') report.equal('skipped', expected, skipped.length);
    else if (Array.isArray(expected)) {
      const seen = expected.every(isJsonObject) ? skipped : skipped.map(({ tool }) => tool);
      report.check(isSameSet(expected, seen), 'skipped', expected, seen);
    } else throw new FixtureError('"skipped" must be a number or a list.');
  },
  warnMentions: (expected, { warnings }, report) =>
    report.mentions('warnMentions', expected, warnings.join('\n')),
};

/** The same servers in other circumstances must get the same names. */
function stable(
  what: string,
  variants: (servers: readonly NamedServer[]) => (readonly NamedServer[])[],
): Check<Seen> {
  return (expected, { input, exposed }, report) => {
    for (const variant of variants(input)) {
      const again = nameTools(variant).exposed;
      const isStable = isSameSet(exposed, again);
      report.check(isStable === expected, what, expected === true ? exposed : expected, again);
    }
  };
}

/** A list of `{ name, tools }`, or tool lists by server name. */
function serversOf(value: JsonValue | undefined): NamedServer[] {
  const list = isJsonObject(value)
    ? Object.entries(value).map(([name, tools]): JsonObject => ({ name, tools }))
    : objectsOf(value, 'servers');
  return list.map((server) => {
    assertKnown(server, ['name', 'tools']);
    const { name, tools } = server;
    if (typeof name !== 'string' || !Array.isArray(tools)) {
      throw new FixtureError('each of "servers" needs a "name" and a list of "tools".');
    }
    return { name, tools };
  });
}

/** Settings, tool lists and catalog as at a start of the editor. */
function nameTools(named: readonly NamedServer[]) {
  const settings = parseSettings(layersOf(named));
  const servers = settings.configurations.map((configuration): McpServer => {
    const lists = named.filter(({ name }) => name === configuration.key);
    const sameKey = settings.configurations.filter(({ key }) => key === configuration.key);
    const tools = lists[sameKey.indexOf(configuration)]?.tools ?? [];
    const read = readTools(
      tools.map((name) => ({ name, inputSchema: { type: 'object', properties: {} } })),
    );
    return { configuration, state: { kind: 'stopped' }, tools: { ...read, isFromCache: false } };
  });
  const catalog = buildCatalog(servers);
  const problems = [
    ...settings.problems,
    ...settings.invalid.flatMap((invalid) => invalid.problems),
    ...catalog.servers.flatMap((server) => server.problems),
  ];
  return {
    catalog,
    exposed: catalog.servers.flatMap(exposedOf),
    warnings: problems.map(({ where, message }) => `${where}: ${message}`),
  };
}

/** Names come from settings; a name that comes twice stands in the settings of user and workspace. */
function layersOf(named: readonly NamedServer[]) {
  const scopes: readonly SettingsScope[] = ['user', 'workspace'];
  return scopes.map((scope, layer) => ({
    origin: { scope },
    value: Object.fromEntries(
      named
        .filter(
          ({ name }, at) =>
            named.slice(0, at).filter((earlier) => earlier.name === name).length === layer,
        )
        .map(({ name }) => [name, { command: 'server' }]),
    ),
  }));
}

function exposedOf(server: CatalogServer): Exposed[] {
  const contributes = toolManifest(server, 'cases')?.packageJson['contributes'];
  const declared = isJsonObject(contributes) ? contributes['languageModelTools'] : [];
  const displayNames = new Map(
    (Array.isArray(declared) ? declared : [])
      .filter(isJsonObject)
      .map(({ name, displayName }) => [name, asText(displayName)]),
  );
  return server.tools.filter(isCallable).map(({ exposedName, definition, configuration }) => ({
    exposedName,
    server: configuration.key,
    original: definition.name,
    displayName: displayNames.get(exposedName) ?? '(not declared)',
  }));
}

function recordingServers(calls: string[]): McpServers {
  const servers: Pick<McpServers, 'callTool'> = {
    callTool: ({ serverId, tool }) => {
      calls.push(route(serverId.replace(/^[^/]*\//, ''), tool));
      return Promise.resolve({ kind: 'answer', result: { content: [] } });
    },
  };
  // Nothing but calls is made here.
  return servers as McpServers;
}

function route(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
