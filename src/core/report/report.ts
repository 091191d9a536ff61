import { definedOnly } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import { fencedText } from './fencedText.ts';
import { statusText } from '../servers/serverStatus.ts';
import { summaryText, type StatusSummary } from '../servers/statusSummary.ts';
import type { CatalogServer } from '../tools/toolCatalog.ts';

/** What a report is made of. */
export interface ReportFacts {
  /** `Extension` → `0.1.0` and so on, in the order shown. */
  readonly surroundings: Readonly<Record<string, string>>;
  readonly summary: StatusSummary;
  readonly budget: number;
  readonly servers: readonly CatalogServer[];
  /** All that is wrong in settings. */
  readonly problems: readonly Problem[];
  /** The end of the log. */
  readonly log: string;
}

/** Most tools that are left out or repaired, named per server. */
const maxNamed = 20;

/**
 * A description of what runs and what does not, as Markdown, for somebody who is to help. Neither arguments nor values of
 * variables and headers stand in it; what it says is to be masked by the caller all the same.
 */
export function reportText(facts: ReportFacts): string {
  const { surroundings, summary, budget, servers, problems, log } = facts;
  const parts = [
    '# MCP Bridge: report',
    'Known secrets are masked. Read it before you pass it on: names of servers, tools, programs and hosts stand in it.',
    bullets(Object.entries(surroundings)),
    '## Summary',
    `${summaryText(summary)} Places for tools that are offered directly: ${budget}.`,
    ...(problems.length > 0 ? ['## Settings', problemList(problems)] : []),
    ...servers.flatMap(serverParts),
    '## End of the log',
    fencedText(log === '' ? '(empty)' : log),
  ];
  return `${parts.join('\n\n')}\n`;
}

function serverParts(catalogServer: CatalogServer): string[] {
  const { server, prefix, tools, problems } = catalogServer;
  const { configuration, state, health } = server;
  const { launch, origin } = configuration;
  const facts = definedOnly({
    State: `${state.kind}, ${statusText(catalogServer)}`,
    Reason: state.kind === 'error' ? `${state.code}: ${state.message}` : undefined,
    Protocol:
      state.kind === 'running' ? `${state.protocolVersion} over ${state.transport}` : undefined,
    Announced:
      state.kind === 'running' && state.serverInfo !== undefined
        ? `${state.serverInfo.name} ${state.serverInfo.version}`
        : undefined,
    Launch: launchText(launch),
    'Defined in': origin.scope,
    Prefix: prefix === '' ? '(none)' : prefix,
    Calls:
      health === undefined
        ? undefined
        : `${health.figures.calls}, of which ${health.figures.failures} failed; ${health.figures.restarts} restarts`,
  });
  const leftOut = tools.flatMap(({ definition, availability }) =>
    availability.kind === 'leftOut' ? [`${definition.name}: ${availability.reason}`] : [],
  );
  const repaired = tools.flatMap(({ definition, repairs }) =>
    repairs.map(({ where, message }) => `${definition.name} ${where}: ${message}`),
  );
  return [
    `## Server ${inline(configuration.key)}`,
    bullets(Object.entries(facts)),
    ...named(
      'Problems',
      problems.map(({ where, message }) => `${where}: ${message}`),
    ),
    ...named('Left out', leftOut),
    ...named('Repaired', repaired),
  ];
}

function launchText(launch: CatalogServer['server']['configuration']['launch']): string {
  switch (launch.type) {
    case 'stdio':
      return `${launch.command} with ${launch.args.length} arguments, variables ${Object.keys(launch.env).join(', ') || 'none'}`;
    case 'client':
      return 'a client that its extension connected';
    case 'http':
    case 'sse':
      return `${originOf(launch.url)}, headers ${Object.keys(launch.headers).join(', ') || 'none'}`;
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '(an address with variables)';
}

function named(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > maxNamed ? [`… ${lines.length - maxNamed} more`] : [];
  return [`${title}:`, fencedText([...lines.slice(0, maxNamed), ...rest].join('\n'))];
}

function problemList(problems: readonly Problem[]): string {
  return fencedText(problems.map(({ where, message }) => `${where}: ${message}`).join('\n'));
}

function bullets(entries: readonly (readonly [label: string, value: string])[]): string {
  return entries.map(([label, value]) => `- ${label}: ${inline(value)}`).join('\n');
}

/** Text of a server or a settings file in a line of Markdown: as code, so that nothing in it is active. */
function inline(text: string): string {
  const flat = text.replace(/\s+/g, ' ').slice(0, 500);
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${flat} ${fence}`;
}
