import { errorMessage } from '../../src/base/errors.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import type { WantedServer } from '../../src/core/servers/serverHost.ts';
import { ToolCaller } from '../../src/core/tools/toolCaller.ts';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import type { TestSupervisor } from '../support/supervisors.ts';
import { listingProblems } from './catalogProblems.ts';
import type { Checks } from './checks.ts';
import { rawTools, type RawTool } from './rawTools.ts';
import { quietServer } from './realBridge.ts';
import type { RealServer } from './servers.ts';

/** What came of the start of one server. */
export interface Visit {
  /** As a plain client saw them; `undefined`: it could not read them. */
  readonly raw: readonly RawTool[] | undefined;
  /** `stdio, 2025-11-25`, or why it does not run. */
  readonly connection: string;
  /** From the order to start until the tools were read, in milliseconds. The program has run once before. */
  readonly startMs: number;
}

export interface VisitOptions {
  readonly bridge: TestSupervisor;
  readonly checks: Checks;
  /** Ends the visit. */
  readonly signal: AbortSignal;
}

/** Longest time for the plain client, and for a call, in milliseconds. */
const rawTimeout = 30_000;
const callTimeout = 20_000;

/** Reads the tools of a server as a plain client, then through the bridge, and calls one. Leaves it running. */
export async function visitServer(
  server: RealServer,
  wanted: WantedServer,
  options: VisitOptions,
): Promise<Visit> {
  const { bridge, checks, signal } = options;
  const { key } = server;
  const { resolved } = wanted;
  if (!('launch' in resolved) || resolved.launch.type !== 'stdio') {
    throw new Error('it is no local program');
  }
  const rawEnd = AbortSignal.any([signal, AbortSignal.timeout(rawTimeout)]);
  const raw = await rawTools(resolved.launch, rawEnd).catch(errorMessage);
  signal.throwIfAborted();
  const startedAt = performance.now();
  await bridge.host.start(wanted.id);
  const startMs = performance.now() - startedAt;
  const view = await quietServer(bridge, key);
  signal.throwIfAborted();
  checks.add(`${key}: starts`, startProblems(view, raw));
  const { state } = view;
  if (state.kind === 'running') {
    checks.add(`${key}: has the tools a plain client sees`, comparisonProblems(view, raw));
    if (server.call !== undefined) {
      checks.add(`${key}: ${server.call.tool} answers`, await callProblems(server, options));
    }
  }
  return {
    raw: typeof raw === 'string' ? undefined : raw,
    connection: connectionText(view),
    startMs,
  };
}

function startProblems({ state }: McpServer, raw: readonly RawTool[] | string): string[] {
  if (state.kind === 'running') return [];
  return [
    state.kind === 'error' ? state.message : `it is ${state.kind}`,
    ...(typeof raw === 'string' ? [`a plain client fails too: ${raw}`] : []),
  ];
}

function comparisonProblems(view: McpServer, raw: readonly RawTool[] | string): string[] {
  if (typeof raw !== 'string') return listingProblems(raw, view);
  // A server may need its service to list anything; then the bridge has to say so too.
  return view.tools === undefined || view.tools.problems.length === 0
    ? [`a plain client cannot read them (${raw}), and the bridge reports nothing`]
    : [];
}

function connectionText({ state }: McpServer): string {
  if (state.kind === 'running') return `${state.transport}, ${state.protocolVersion}`;
  return state.kind === 'error' ? state.summary : state.kind;
}

/** Calls a tool the way an agent does, and says what is wrong with the answer. */
async function callProblems(
  { key, call }: RealServer,
  { bridge, signal }: VisitOptions,
): Promise<string[]> {
  if (call === undefined) return [];
  const catalog = buildCatalog(bridge.host.servers);
  const tool = [...catalog.tools.values()].find(
    ({ configuration, definition }) => configuration.key === key && definition.name === call.tool,
  );
  if (tool === undefined) return ['there is no such tool'];
  const outcome = await new ToolCaller(bridge.host, () => catalog).call(
    tool.exposedName,
    call.arguments,
    AbortSignal.any([signal, AbortSignal.timeout(callTimeout)]),
  );
  if (outcome.kind === 'failure') return [outcome.message];
  const text = outcome.parts
    .map((part) => (part.kind === 'text' ? part.text : part.mimeType))
    .join('\n');
  if (call.answer.test(text) && outcome.isError === (call.isError ?? false)) return [];
  return [`${outcome.isError ? 'error: ' : ''}${text.slice(0, 500)}`];
}
