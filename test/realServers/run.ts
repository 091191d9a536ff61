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
import { oddityTable, serverTable, summary } from './table.ts';
import { startTogether } from './together.ts';

/** Bounds of the whole run and of one installation, in milliseconds. */
const runTimeout = 10 * 60_000;
const installTimeout = 3 * 60_000;
/** Servers that are installed or run at the same time. */
const atOnce = 2;

const startedAt = Date.now();
const options = process.argv.slice(2);
const isMarkdown = options.includes('--markdown');
const checks = new Checks(console.log);
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
const stop = AbortSignal.any([AbortSignal.timeout(runTimeout), interrupt.signal]);

const installed = await installAll(chosenServers());
const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-real-'));
// Processes are found in /proc.
const mark = process.platform === 'linux' ? new ProcessMark() : undefined;
try {
  const run = { folder, env: mark?.env ?? {}, signal: stop };
  console.log(`Starting ${installed.length} servers, ${atOnce} at a time …`);
  const reports = await checkServers(installed, { ...run, checks, atOnce });
  await writeToolLists(reports);
  console.log(`\n${serverTable(reports, isMarkdown)}\n\n${summary(reports)}\n`);
  if (isMarkdown) console.log(`${oddityTable(reports)}\n`);
  if (options.includes('--together')) await measureTogether(run);
} finally {
  if (mark !== undefined) await attempt('all: no process is left behind', () => mark.assertGone());
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (stop.aborted) checks.add('the run', ['it was interrupted or out of time']);
console.log(`In ${((Date.now() - startedAt) / 1000).toFixed(0)} s.`);
console.log(`${checks.passed} passed, ${checks.failures.length} failed`);
process.exit(checks.failures.length === 0 && checks.passed > 0 ? 0 : 1);

/** The servers named on the command line, else all. */
function chosenServers(): readonly RealServer[] {
  const names = options.filter((option) => !option.startsWith('--'));
  if (names.length === 0) return realServers;
  const unknown = names.filter((name) => realServers.every(({ key }) => key !== name));
  checks.add('the servers asked for are known', unknown);
  return realServers.filter(({ key }) => names.includes(key));
}

async function installAll(servers: readonly RealServer[]): Promise<InstalledServer[]> {
  console.log(`${servers.length} servers; packages are kept in ${realServersFolder()}.`);
  const scripts = new Map<RealServer, string>();
  await forEach(servers, atOnce, (server) =>
    attempt(`${server.key}: is installed`, async () => {
      stop.throwIfAborted();
      const timeLeft = startedAt + runTimeout - Date.now();
      const timeout = Math.min(installTimeout, timeLeft);
      scripts.set(server, await installServer(server, timeout, console.log));
    }),
  );
  return servers.flatMap((server) => {
    const script = scripts.get(server);
    return script === undefined ? [] : [{ server, script }];
  });
}

/** The lists as they came, and what is unusual in them, for whoever wants real data without a network. */
async function writeToolLists(reports: readonly ServerReport[]): Promise<void> {
  const lists = join(realServersFolder(), 'tools');
  const oddities = join(realServersFolder(), 'oddities');
  await mkdir(lists, { recursive: true });
  await mkdir(oddities, { recursive: true });
  for (const { server, raw, catalog } of reports) {
    if (raw === undefined) continue;
    const counts = catalog.tools.map(({ definition: { name, description, inputSchema } }) => [
      name,
      schemaOddities(description, inputSchema),
    ]);
    const file = `${server.key}.json`;
    await writeFile(join(lists, file), JSON.stringify(raw, null, 1));
    await writeFile(join(oddities, file), JSON.stringify(Object.fromEntries(counts), null, 1));
  }
  console.log(`Tool lists are in ${lists}, counts of what is unusual in them in ${oddities}.`);
}

async function measureTogether(run: Parameters<typeof startTogether>[1]): Promise<void> {
  await attempt('all: start at the same time', async () => {
    const times = await startTogether(installed, run);
    const { servers, tools, firstTools, allTools, allManifests } = times;
    console.log(
      `All ${servers} servers at the same time: first tools after ${firstTools.toFixed(0)} ms, all ${tools} after ${allTools.toFixed(0)} ms, manifests after ${allManifests.toFixed(0)} ms.`,
    );
  });
}

/** A check that fails by rejecting. */
async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  const problems: string[] = [];
  try {
    await work();
  } catch (error: unknown) {
    problems.push(errorMessage(error));
  }
  checks.add(what, problems);
}
