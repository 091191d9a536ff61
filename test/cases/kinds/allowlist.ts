import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeServer } from '../fakeServer.ts';
import { FixtureError, expand, textsOf, type Fixture } from '../fixture.ts';
import { assertKnown, isSameSet, runChecks, type Checks, type Report } from '../report.ts';
import { TestBridge } from '../testBridge.ts';
import { callTool } from '../toolCalls.ts';

/** Description of the tools when they are listed for the second time. */
const listedAgain = 'Listed again.';

const announcing: JsonObject = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'fake', version: '0' },
};

interface Seen {
  readonly patterns: readonly string[];
  readonly exposed: readonly string[];
  readonly exposedAgain: readonly string[];
  readonly problems: readonly string[];
  /** The outcomes of calls that must be refused, by original name, and whether the server heard of one. */
  readonly calls: ReadonlyMap<string, string>;
  readonly reachedServer: boolean;
}

export async function runAllowlist({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['server', 'tools', 'allow', 'deny']);
  const { server: key = 'server', allow, deny } = input;
  if (typeof key !== 'string') throw new FixtureError('"server" must be a text.');
  const tools = textsOf(expand(input['tools'] ?? null), 'tools');
  const listed = (description: string): JsonValue =>
    tools.map((name) => ({ name, description, inputSchema: { type: 'object', properties: {} } }));
  await using fake = await FakeServer.create([
    { when: 'request:initialize', do: [{ result: announcing }] },
    {
      when: 'notification:notifications/initialized',
      do: [{ sleepMs: 500 }, { notify: { method: 'notifications/tools/list_changed' } }],
    },
    { when: 'request:tools/list', nth: [1], do: [{ result: { tools: listed('Listed.') } }] },
    { when: 'request:tools/list', do: [{ result: { tools: listed(listedAgain) } }] },
  ]);
  const filter: JsonObject = {
    ...(allow !== undefined && { allow }),
    ...(deny !== undefined && { deny }),
  };
  await using bridge = new TestBridge({ [key]: { ...fake.entry, ...filter } });
  await bridge.settled(key);
  const exposed = bridge.exposed(key).map(({ original }) => original);
  await eventually('the changed tool list is read', () =>
    bridge.server(key).tools.every(({ modelDescription }) => modelDescription === listedAgain),
  );
  const calls = new Map<string, string>();
  for (const name of expect['callRefused'] === undefined
    ? []
    : textsOf(expect['callRefused'], 'callRefused')) {
    for (const guess of guesses(bridge, key, name)) {
      const { outcome } = await callTool(bridge, guess, {});
      calls.set(`${name} as ${guess}`, outcome.kind === 'failure' ? outcome.code : outcome.kind);
    }
  }
  const seen: Seen = {
    patterns: [allow, deny].flatMap((list) => (list === undefined ? [] : textsOf(list, 'allow'))),
    exposed,
    exposedAgain: bridge.exposed(key).map(({ original }) => original),
    problems: bridge.server(key).problems.map(({ where, message }) => `"${where}": ${message}`),
    calls,
    reachedServer: fake.requests('tools/call').length > 0,
  };
  runChecks(expect, checks, seen, report);
}

const checks: Checks<Seen> = {
  exposedOriginals: (expected, { exposed }, report) => {
    const wanted = textsOf(expected, 'exposedOriginals');
    report.check(isSameSet(wanted, exposed), 'exposedOriginals', wanted, exposed);
  },
  unmatchedReported: (expected, { patterns, problems }, report) => {
    const reported = patterns.filter((pattern) =>
      problems.some((problem) => problem.includes(`"${pattern}"`)),
    );
    const wanted = textsOf(expected, 'unmatchedReported');
    report.check(isSameSet(wanted, reported), 'unmatchedReported', wanted, reported);
  },
  callRefused: (_expected, { calls, reachedServer }, report) => {
    for (const [call, outcome] of calls) {
      const isRefused = outcome === 'notAllowed' || outcome === 'toolUnknown';
      report.check(isRefused, 'callRefused', 'notAllowed or toolUnknown', `${call}: ${outcome}`);
    }
    report.check(!reachedServer, 'callRefused', 'no call at the server', 'a tools/call');
  },
  stillFilteredAfterListChanged: (expected, { exposed, exposedAgain }, report) =>
    report.check(
      isSameSet(exposed, exposedAgain) === expected,
      'stillFilteredAfterListChanged',
      exposed,
      exposedAgain,
    ),
};

/** Names a model could try for a tool: the one it would have, and what it would make up. */
function guesses(bridge: TestBridge, key: string, original: string): Set<string> {
  const known = bridge.server(key).tools.filter(({ definition }) => definition.name === original);
  return new Set([
    ...known.map(({ exposedName }) => exposedName),
    `${bridge.server(key).prefix}__${original}`,
    original,
  ]);
}
