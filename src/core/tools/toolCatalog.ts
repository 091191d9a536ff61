import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import type { Problem } from '../problem.ts';
import { withReadResourceTool } from '../resources/readResourceTool.ts';
import type { McpServer } from '../servers/mcpServers.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import { confirmProblems } from './confirmation.ts';
import { modelSchema } from './modelSchema.ts';
import { renameProblems, unmatchedSettings } from './settingsProblems.ts';
import { withinBudget } from './toolBudget.ts';
import type { ToolDefinition } from './toolDefinition.ts';
import { createToolFilter, globMatcher } from './toolFilter.ts';
import { assignToolNames, distinctPrefixes } from './toolName.ts';

/** Longest description given to the model, in characters. */
export const maxDescription = 2048;

/** Who gets the tool: agents directly, agents through the meta-tools only, or nobody, and why. */
type Availability =
  | { readonly kind: 'offered' }
  // With the reason `budget` only because there was no room among those that are offered.
  | { readonly kind: 'search'; readonly reason?: 'budget' }
  | { readonly kind: 'leftOut'; readonly reason: string };

/** One tool of one server, as the editor and its agents know it. */
export interface CatalogTool {
  /** Name the model uses: `<prefix>__<tool>`. */
  readonly exposedName: string;
  readonly configuration: ServerConfiguration;
  /** As the server described it. */
  readonly definition: ToolDefinition;
  readonly modelDescription: string;
  readonly modelSchema: JsonObject;
  readonly repairs: readonly Problem[];
  readonly availability: Availability;
  /** Hash of all that an agent is told about the tool. */
  readonly fingerprint: string;
}

/** One server with its tools, filtered and named. */
export interface CatalogServer {
  readonly server: McpServer;
  /** The prefix in use; two servers never share one unless both have none. */
  readonly prefix: string;
  /** In the server's own order, left-out ones included. */
  readonly tools: readonly CatalogTool[];
  readonly problems: readonly Problem[];
}

export interface ToolCatalog {
  readonly servers: readonly CatalogServer[];
  /** By exposed name. */
  readonly tools: ReadonlyMap<string, CatalogTool>;
  /** Only when not all tools fit: how many places there are and how many tools would take one. */
  readonly shortage?: { readonly places: number; readonly wanted: number };
}

/** Whether the tool may be called at all, directly or through the meta-tools. */
export function isCallable({ availability }: CatalogTool): boolean {
  return availability.kind !== 'leftOut';
}

/** Whether the tool is reached through the meta-tools only because others took all places. */
export function isWithoutRoom({ availability }: CatalogTool): boolean {
  return availability.kind === 'search' && availability.reason === 'budget';
}

/**
 * Names, filters and describes the tools of all servers, and offers at most `budget` of them directly. Pure:
 * equal servers give an equal catalog.
 */
export function buildCatalog(configured: readonly McpServer[], budget = Infinity): ToolCatalog {
  const servers = configured.map(withReadResourceTool);
  const named = servers.map(({ configuration: { id, key, origin, prefix, rename }, tools }) => ({
    id,
    key,
    scope: origin.scope,
    prefix,
    rename,
    tools: (tools?.tools ?? []).map(({ name }) => name),
  }));
  const names = assignToolNames(named);
  const prefixes = distinctPrefixes(named);
  const catalog = servers.map((server): CatalogServer => {
    const { configuration } = server;
    const definitions = server.tools?.tools ?? [];
    const filter = createToolFilter(configuration);
    const prefix = prefixes.get(configuration.id) ?? '';
    const exposed = names.get(configuration.id) ?? new Map<string, string>();
    const tools = definitions.flatMap((definition) => {
      const exposedName = exposed.get(definition.name);
      if (exposedName === undefined) return [];
      const verdict = filter.check(definition.name);
      return [
        catalogTool(configuration, definition, exposedName, availability(configuration, verdict)),
      ];
    });
    const known = definitions.map(({ name }) => name);
    return {
      server,
      prefix,
      tools,
      problems: [
        ...(server.tools?.problems ?? []),
        ...confirmProblems(configuration),
        ...(known.length === 0 ? [] : unmatchedSettings(configuration, known)),
        ...renameProblems(configuration.rename, prefix, exposed),
      ],
    };
  });
  return withBudget(catalog, budget);
}

/** Leaves what has no place among the tools that are offered to the search. */
function withBudget(servers: readonly CatalogServer[], budget: number): ToolCatalog {
  const offering = servers.map(({ server: { configuration }, tools }) => {
    const pins = configuration.pin.map(globMatcher);
    return {
      priority: configuration.priority,
      tools: tools.filter(({ availability }) => availability.kind === 'offered'),
      isPinned: ({ definition }: CatalogTool) => pins.some((matches) => matches(definition.name)),
    };
  });
  const wanted = offering.reduce((sum, { tools }) => sum + tools.length, 0);
  if (wanted <= budget) return toCatalog(servers);
  const kept = withinBudget(offering, budget);
  const place = (tool: CatalogTool): CatalogTool =>
    tool.availability.kind !== 'offered' || kept.has(tool)
      ? tool
      : { ...tool, availability: { kind: 'search', reason: 'budget' } };
  return {
    ...toCatalog(servers.map((server) => ({ ...server, tools: server.tools.map(place) }))),
    shortage: { places: budget, wanted },
  };
}

function toCatalog(servers: readonly CatalogServer[]): ToolCatalog {
  return {
    servers,
    tools: new Map(
      servers.flatMap(({ tools }) => tools).map((tool) => [tool.exposedName, tool] as const),
    ),
  };
}

function availability(
  { enabled, expose }: ServerConfiguration,
  verdict: ReturnType<ReturnType<typeof createToolFilter>['check']>,
): Availability {
  if (!enabled) return { kind: 'leftOut', reason: 'the server is switched off' };
  if (!verdict.isAllowed) return { kind: 'leftOut', reason: verdict.reason };
  return expose === 'search' ? { kind: 'search' } : { kind: 'offered' };
}

/** The costly part of a tool, kept for as long as the definition object lives. */
const described = new WeakMap<
  ToolDefinition,
  Pick<CatalogTool, 'modelDescription' | 'modelSchema' | 'repairs'> & { digest: string }
>();

function describe(definition: ToolDefinition) {
  const known = described.get(definition);
  if (known !== undefined) return known;
  const { schema, repairs } = modelSchema(definition.inputSchema);
  const modelDescription = descriptionFor(definition);
  const made = {
    modelDescription,
    modelSchema: schema,
    repairs,
    digest: canonicalJson({ modelDescription, schema, title: definition.title ?? null }),
  };
  described.set(definition, made);
  return made;
}

function catalogTool(
  configuration: ServerConfiguration,
  definition: ToolDefinition,
  exposedName: string,
  availability: Availability,
): CatalogTool {
  const { digest, ...description } = describe(definition);
  return {
    exposedName,
    configuration,
    definition,
    ...description,
    availability,
    fingerprint: shortHash(`${exposedName}\0${digest}`, 16),
  };
}

function descriptionFor({ name, title, description }: ToolDefinition): string {
  const text = description.trim() || title?.trim() || name;
  if (text.length <= maxDescription) return text;
  return `${text.slice(0, maxDescription - 1).toWellFormed()}…`;
}
