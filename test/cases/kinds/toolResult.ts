import type { JsonObject } from '../../../src/base/json.ts';
import { callChecks, type JudgedCall } from '../callChecks.ts';
import { echoTool } from '../fake/defaults.ts';
import { FakeServer } from '../fakeServer.ts';
import { FixtureError, objectOf, type Fixture } from '../fixture.ts';
import { countConnections } from '../observers.ts';
import { assertKnown, runChecks, type Checks, type Report } from '../report.ts';
import { TestBridge } from '../testBridge.ts';
import { callTool, isFailed, textOf } from '../toolCalls.ts';

const key = 'srv';

interface Seen extends JudgedCall {
  readonly connections: number;
  /** Whether the bridge answered what the server wanted to know, and asked again. */
  readonly isCarriedOut: boolean;
}

export async function runToolResult({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['result', 'rpcError', 'tool']);
  const { result = null, rpcError, tool = {} } = input;
  const answer: JsonObject = rpcError === undefined ? { result } : { error: rpcError };
  await using fake = await FakeServer.create([
    {
      when: 'request:tools/list',
      do: [{ result: { tools: [{ ...echoTool, ...objectOf(tool, 'tool'), name: 'echo' }] } }],
    },
    { when: 'request:tools/call', do: [answer] },
  ]);
  using connections = countConnections();
  await using bridge = new TestBridge({ [key]: fake.entry });
  const state = await bridge.settled(key);
  const echo = bridge.exposed(key).find(({ original }) => original === 'echo');
  if (echo === undefined) {
    report.fail('tool', 'echo can be called', state.kind === 'error' ? state.message : 'no tool');
    return;
  }
  const call = await callTool(bridge, echo.exposedName, {});
  const seen: Seen = {
    ...call,
    text: textOf(call.outcome),
    connections: connections.seen,
    isCarriedOut: fake
      .requests('tools/call')
      .some(({ params }) => 'inputResponses' in params || 'requestState' in params),
  };
  runChecks(expect, checks, seen, report);
}

const checks: Checks<Seen> = {
  ...callChecks,
  isErrorOrThrows: (expected, { outcome, text, isCarriedOut }, report) => {
    if (expected !== true && expected !== false && expected !== 'unless-supported') {
      throw new FixtureError('"isErrorOrThrows" must be true, false or "unless-supported".');
    }
    if (expected === 'unless-supported' && isCarriedOut) return;
    report.check(isFailed(outcome) === (expected !== false), 'isErrorOrThrows', expected, text);
  },
  networkRequests: (expected, { connections }, report) =>
    report.equal('networkRequests', expected, connections),
};
