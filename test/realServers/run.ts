// `npm run real-servers`: installs real MCP servers from npm and checks that every tool of them reaches agents. Options:
// `--markdown` prints tables in Markdown; `--together` also starts all servers at the same time and measures that;
// names of servers check only these. Ends with a line `N passed, N failed`.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { errorMessage } from '../../src/base/errors.ts';
import { ProcessMark } from '../support/processes.ts';
import { Checks } from './checks.ts';
import { checkServers, type ServerReport } from './checkServers.ts';
import { forEach } from './forEach.ts';
import { installServer, realServersFolder } from './installServer.ts';
import type { InstalledServer } from './realBridge.ts';
import { schemaOddities } from './schemaOddities.ts';
import { realServers, type RealServer } from './servers.ts';
import { oddityTable, serverTable } from './table.ts';
import { startTogether } from './together.ts';

/** Bounds of the whole run and of one installation, in milliseconds. */
const runTimeout = 10 * 60_000;
const installTimeout = 3 * 60_000;
/** Servers that are installed or run at the same time. */
const atOnce = 3;

const startedAt = Date.now();
const options = process.argv.slice(2);
const names = options.filter((option) => !option.startsWith('--'));
const chosen = realServers.filter(({ key }) => names.length === 0 || names.includes(key));
const checks = new Checks(console.log);
for (const name of names) {
  if (!chosen.some(({ key }) => key === name))
    checks.add(`There is no server "${name}"`, ['in servers.ts']);
}

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
const stop = AbortSignal.any([AbortSignal.timeout(runTimeout), interrupt.signal]);

const installed = await installAll(chosen);
const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-real-'));
const mark = new ProcessMark();
try {
  console.log(`Starting ${installed.length} servers, ${atOnce} at a time …`);
  const run = { folder, env: mark.env };
  const reports = await checkServers(installed, { ...run, checks, atOnce, signal: stop });
  await writeToolLists(reports);
  console.log(`\n${serverTable(reports, options.includes('--markdown'))}\n`);
  if (options.includes('--markdown')) console.log(`${oddityTable(reports)}\n`);
  if (options.includes('--together') && !stop.aborted) {
    const { servers, tools, firstTools, allTools, allManifests } = await startTogether(
      installed,
      run,
    );
    console.log(
      `All ${servers} servers at the same time: first tools after ${firstTools.toFixed(0)} ms, all ${tools} after ${allTools.toFixed(0)} ms, manifests after ${allManifests.toFixed(0)} ms.`,
    );
  }
} finally {
  await checkProcesses();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (interrupt.signal.aborted) checks.add('the run', ['it was interrupted']);
console.log(`In ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
console.log(`${checks.passed} passed, ${checks.failures.length} failed`);
process.exit(checks.failures.length === 0 && checks.passed > 0 ? 0 : 1);

async function installAll(servers: readonly RealServer[]): Promise<InstalledServer[]> {
  console.log(`${servers.length} servers; packages are kept in ${realServersFolder()}.`);
  const scripts = new Map<RealServer, string>();
  await forEach(servers, atOnce, async (server) => {
    const problems: string[] = [];
    try {
      stop.throwIfAborted();
      scripts.set(server, await installServer(server, installTimeout, console.log));
    } catch (error: unknown) {
      problems.push(errorMessage(error));
    }
    checks.add(`${server.key}: is installed`, problems);
  });
  return servers.flatMap((server) => {
    const script = scripts.get(server);
    return script === undefined ? [] : [{ server, script }];
  });
}

/** The lists as they came, and what is unusual in them, for whoever wants real data without a network. */
async function writeToolLists(reports: readonly ServerReport[]): Promise<void> {
  const lists = join(realServersFolder(), 'tools');
  await mkdir(lists, { recursive: true });
  for (const { server, raw, catalog } of reports) {
    if (raw === undefined) continue;
    await writeFile(join(lists, `${server.key}.json`), JSON.stringify(raw, null, 1));
    const oddities = catalog.tools.map(({ definition: { name, description, inputSchema } }) => [
      name,
      schemaOddities(description, inputSchema),
    ]);
    await writeFile(
      join(lists, `${server.key}.oddities.json`),
      JSON.stringify(Object.fromEntries(oddities), null, 1),
    );
  }
  console.log(`Tool lists are in ${lists}.`);
}

async function checkProcesses(): Promise<void> {
  const problems: string[] = [];
  try {
    await mark.assertGone();
  } catch (error: unknown) {
    problems.push(errorMessage(error));
  }
  checks.add('all: no process is left behind', problems);
}
