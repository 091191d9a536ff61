import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import { pinProblems } from '../pins/pinProblems.ts';
import { pinReason, pinVerdict, type PinLookup, type PinVerdict } from '../pins/serverPins.ts';
import type { Problem } from '../problem.ts';
import { withReadResourceTool } from '../resources/readResourceTool.ts';
import { modelSchema } from '../schemas/modelSchema.ts';
import type { PropertyAliases } from '../schemas/propertyAliases.ts';
import { shortened } from '../boundedText.ts';
import type { McpServer } from '../servers/mcpServers.ts';
import type { Limits } from '../settings/limits.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import { visibleText } from '../visibleText.ts';
import { confirmProblems } from './confirmation.ts';
import { renameProblems, unmatchedSettings } from './settingsProblems.ts';
import { withinBudget } from './toolBudget.ts';
import type { ToolDefinition } from './toolDefinition.ts';
import { createToolFilter, globMatcher } from './toolFilter.ts';
import { assignToolNames, distinctPrefixes } from './toolName.ts';

/** Who gets the tool: agents directly, agents through the meta-tools only, or nobody, and why. */
type Availability =
  | { readonly kind: 'offered' }
  // With the reason `budget` only because there was no room among those that are offered.
  | { readonly kind: 'search'; readonly reason?: 'budget' }
  // With `review` because of what the person has accepted of it, or has not.
  | { readonly kind: 'leftOut'; readonly reason: string; readonly review?: PinReview };

/** How a tool stands to what was accepted, when it is left out for that. */
type PinReview = Exclude<PinVerdict, 'accepted'>;

/** One tool of one server, as the editor and its agents know it. */
export interface CatalogTool {
  /** Name the model uses: `<prefix>__<tool>`. */
  readonly exposedName: string;
  readonly configuration: ServerConfiguration;
  /** As the server described it. */
  readonly definition: ToolDefinition;
  readonly modelDescription: string;
  /** The input schema as the model gets it. */
  readonly modelSchema: JsonObject;
  /** Names of `modelSchema` that differ from the server's; `undefined` if none does. */
  readonly aliases: PropertyAliases | undefined;
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
export function buildCatalog(
  configured: readonly McpServer[],
  budget = Infinity,
  pinsOf: PinLookup = () => undefined,
): ToolCatalog {
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
    const pins = pinsOf(configuration);
    const prefix = prefixes.get(configuration.id) ?? '';
    const exposed = names.get(configuration.id) ?? new Map<string, string>();
    const tools = definitions.flatMap((definition) => {
      const exposedName = exposed.get(definition.name);
      if (exposedName === undefined) return [];
      const verdict = filter.check(definition.name);
      const review = pinVerdict(pins, definition, configuration);
      const available = availability(configuration, verdict, review);
      return [catalogTool(configuration, definition, exposedName, available)];
    });
    const known = definitions.map(({ name }) => name);
    return {
      server,
      prefix,
      tools,
      problems: [
        ...(server.tools?.problems ?? []),
        ...confirmProblems(configuration),
        ...pinProblems(server, pins),
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
  review: PinVerdict,
): Availability {
  if (!enabled) return { kind: 'leftOut', reason: 'the server is switched off' };
  if (!verdict.isAllowed) return { kind: 'leftOut', reason: verdict.reason };
  if (review !== 'accepted') return { kind: 'leftOut', reason: pinReason(review), review };
  return expose === 'search' ? { kind: 'search' } : { kind: 'offered' };
}

type Description = Pick<CatalogTool, 'modelDescription' | 'modelSchema' | 'aliases' | 'repairs'> & {
  readonly digest: string;
};

/** The costly part of a tool, kept by the limits it depends on for as long as the definition object lives. */
const described = new WeakMap<ToolDefinition, Map<string, Description>>();

function describe(
  definition: ToolDefinition,
  { schemaDepth, descriptionChars }: Limits,
): Description {
  const byLimits = described.get(definition) ?? new Map<string, Description>();
  described.set(definition, byLimits);
  const key = `${schemaDepth}/${descriptionChars}`;
  const known = byLimits.get(key);
  if (known !== undefined) return known;
  const { schema, repairs, aliases, notes } = modelSchema(definition.inputSchema, {
    depth: schemaDepth,
  });
  const modelDescription = descriptionFor(definition, notes, descriptionChars);
  const made: Description = {
    modelDescription,
    modelSchema: schema,
    aliases,
    repairs,
    digest: canonicalJson({ modelDescription, schema, title: definition.title ?? null }),
  };
  byLimits.set(key, made);
  return made;
}

function catalogTool(
  configuration: ServerConfiguration,
  definition: ToolDefinition,
  exposedName: string,
  availability: Availability,
): CatalogTool {
  const { digest, ...description } = describe(definition, configuration.limits);
  return {
    exposedName,
    configuration,
    definition,
    ...description,
    availability,
    fingerprint: shortHash(`${exposedName}\0${digest}`, 16),
  };
}

/** The server's description and the rules its schema could not say; the rules take at most a third. */
function descriptionFor(
  { name, title, description }: ToolDefinition,
  notes: readonly string[],
  limit: number,
): string {
  const text = visibleText(description.trim() || title?.trim() || name);
  if (notes.length === 0) return shortened(text, limit);
  const rules = shortened(`Input rules: ${notes.join(' ')}`, Math.floor(limit / 3));
  return `${shortened(text, limit - rules.length - 2)}\n\n${rules}`;
}
