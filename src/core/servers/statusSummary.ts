import { isWithoutRoom, type CatalogTool, type ToolCatalog } from '../tools/toolCatalog.ts';

/** How all servers of a window are doing. */
export interface StatusSummary {
  readonly running: number;
  readonly starting: number;
  readonly stopped: number;
  /** In error, or with settings that need a correction. */
  readonly failed: number;
  /** Tools by how agents reach them. */
  readonly offered: number;
  readonly searched: number;
  readonly leftOut: number;
  /** Tools that are reached through search for lack of room only. */
  readonly withoutRoom: number;
}

/** `invalid`: how many entries of the settings cannot be used. */
export function statusSummary(catalog: ToolCatalog | undefined, invalid: number): StatusSummary {
  const servers = catalog?.servers ?? [];
  const enabled = servers.filter(({ server }) => server.configuration.enabled);
  const inState = (kind: string): number =>
    enabled.filter(({ server }) => server.state.kind === kind).length;
  const tools = servers.flatMap((server) => server.tools);
  const reached = (kind: CatalogTool['availability']['kind']): number =>
    tools.filter(({ availability }) => availability.kind === kind).length;
  return {
    running: inState('running'),
    starting: inState('starting'),
    stopped: inState('stopped') + servers.length - enabled.length,
    failed: inState('error') + invalid,
    offered: reached('offered'),
    searched: reached('search'),
    leftOut: reached('leftOut'),
    withoutRoom: tools.filter(isWithoutRoom).length,
  };
}

/** The summary as one sentence, for tooltips and screen readers. */
export function summaryText(summary: StatusSummary): string {
  const { running, starting, stopped, failed, offered, searched, leftOut } = summary;
  const servers = listed([
    [running, 'running'],
    [starting, 'starting'],
    [failed, 'not working'],
    [stopped, 'stopped'],
  ]);
  const tools = listed([
    [offered, 'offered'],
    [searched, 'by search'],
    [leftOut, 'left out'],
  ]);
  return `Servers: ${servers || 'none'}. Tools: ${tools || 'none'}.`;
}

function listed(counts: readonly (readonly [count: number, what: string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');
}
