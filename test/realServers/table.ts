import { isCallable } from '../../src/core/tools/toolCatalog.ts';
import type { ServerReport } from './checkServers.ts';
import { schemaOddities } from './schemaOddities.ts';

type Row = readonly string[];

const heading: Row = [
  'Server',
  'Package',
  'Connection',
  'Listed',
  'Registered',
  'Repairs',
  'Left out',
  'Start ms',
];

/** One row for each server, in Markdown or in aligned columns. */
export function serverTable(reports: readonly ServerReport[], isMarkdown: boolean): string {
  const rows = reports.map(serverRow);
  return isMarkdown ? markdown([heading, ...rows]) : aligned([heading, ...rows]);
}

/** What all servers come to; a name counts as shared when tools of several servers have it. */
export function summary(reports: readonly ServerReport[]): string {
  const tools = reports.flatMap(({ catalog }) => catalog.tools);
  const byName = Map.groupBy(tools, ({ definition }) => definition.name);
  const shared = [...byName.values()].filter(({ length }) => length > 1).length;
  const callable = tools.filter(isCallable).length;
  const repaired = tools.filter(({ repairs }) => repairs.length > 0).length;
  return `${reports.length} servers, ${tools.length} tools, ${callable} of them registered, ${repaired} repaired; ${shared} names are shared by several servers.`;
}

function serverRow({ server, raw, catalog, connection, startMs }: ServerReport): Row {
  const callable = catalog.tools.filter(isCallable);
  const leftOut = [
    ...catalog.tools.flatMap(({ definition, availability }) =>
      availability.kind === 'leftOut' ? [`${definition.name}: ${availability.reason}`] : [],
    ),
    ...catalog.problems.map(({ where, message }) => `${where}: ${message}`),
  ];
  return [
    server.key,
    `${server.package}@${server.version}`,
    connection,
    raw === undefined ? '?' : String(raw.length),
    String(callable.length),
    tally(catalog.tools.flatMap(({ repairs }) => repairs.map(({ message }) => message))),
    leftOut.join('; '),
    startMs.toFixed(0),
  ];
}

/** `5: this ×3, that ×2`, the most frequent first. */
function tally(items: readonly string[]): string {
  if (items.length === 0) return '0';
  const groups = [...Map.groupBy(items, (item) => item)].toSorted(
    ([, left], [, right]) => right.length - left.length,
  );
  return `${items.length}: ${groups.map(([item, { length }]) => `${item} ×${length}`).join(', ')}`;
}

/** How many tools of each server have each oddity, and how often it occurs in all. */
export function oddityTable(reports: readonly ServerReport[]): string {
  const servers = new Map<string, { tools: number; times: number; where: Map<string, number> }>();
  for (const { server, catalog } of reports) {
    for (const { definition } of catalog.tools) {
      const found = schemaOddities(definition.description, definition.inputSchema);
      for (const [what, times] of Object.entries(found)) {
        const sum = servers.get(what) ?? { tools: 0, times: 0, where: new Map() };
        sum.tools += 1;
        sum.times += times;
        sum.where.set(server.key, (sum.where.get(server.key) ?? 0) + times);
        servers.set(what, sum);
      }
    }
  }
  const rows = [...servers]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([what, { tools, times, where }]): Row => [
      what,
      String(tools),
      String(times),
      [...where].map(([key, count]) => `${key} ${count}`).join(', '),
    ]);
  return markdown([['Oddity', 'Tools', 'Times', 'Where'], ...rows]);
}

function markdown([head = [], ...rows]: readonly Row[]): string {
  const line = (row: Row): string =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function aligned(rows: readonly Row[]): string {
  const widths = heading.map((_, column) =>
    Math.min(40, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
