import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { echoTool } from '../fake/defaults.ts';
import { FakeServer } from '../fakeServer.ts';
import { FixtureError, booleanOf, objectOf, objectsOf, textsOf, type Fixture } from '../fixture.ts';
import { countConnections } from '../observers.ts';
import { assertKnown, runChecks, type Checks, type Report } from '../report.ts';
import { TestBridge } from '../testBridge.ts';
import { callTool, isFailed, textOf, type SeenCall } from '../toolCalls.ts';

const key = 'srv';

interface Seen extends SeenCall {
  readonly text: string;
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
  await using bridge = new TestBridge({ [key]: fake.entry });
  const state = await bridge.settled(key);
  const echo = bridge.exposed(key).find(({ original }) => original === 'echo');
  if (echo === undefined) {
    report.fail('tool', 'echo can be called', state.kind === 'error' ? state.message : 'no tool');
    return;
  }
  using connections = countConnections();
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
  throws: (expected, { outcome, text }, report) =>
    report.check(
      (outcome.kind === 'failure') === booleanOf(expected, 'throws'),
      'throws',
      expected,
      text,
    ),
  isError: (expected, { outcome, text }, report) =>
    report.check(isFailed(outcome) === booleanOf(expected, 'isError'), 'isError', expected, text),
  isErrorOrThrows: (expected, { outcome, text, isCarriedOut }, report) => {
    if (expected !== true && expected !== false && expected !== 'unless-supported') {
      throw new FixtureError('"isErrorOrThrows" must be true, false or "unless-supported".');
    }
    if (expected === 'unless-supported' && isCarriedOut) return;
    report.check(isFailed(outcome) === (expected !== false), 'isErrorOrThrows', expected, text);
  },
  textContains: (expected, { text }, report) => {
    for (const part of textsOf(expected, 'textContains')) {
      report.check(text.includes(part), 'textContains', part, text);
    }
  },
  textNotContains: (expected, { text }, report) => {
    for (const part of textsOf(expected, 'textNotContains')) {
      report.check(!text.includes(part), 'textNotContains', `no ${part}`, text);
    }
  },
  textEquals: (expected, { text }, report) => report.equal('textEquals', expected, text),
  occurrences: (expected, { text }, report) => {
    for (const occurrence of objectsOf(expected, 'occurrences')) {
      checkOccurrences(occurrence, text, report);
    }
  },
  orderOf: (expected, { text }, report) => {
    let from = 0;
    for (const part of textsOf(expected, 'orderOf')) {
      const at = text.indexOf(part, from);
      report.check(at >= 0, 'orderOf', `${part} after the others`, text);
      if (at >= 0) from = at + part.length;
    }
  },
  dataParts: (expected, { outcome }, report) => {
    const parts = outcome.kind === 'failure' ? [] : outcome.parts;
    const seen = parts.flatMap((part) => (part.kind === 'image' ? [part.mimeType] : []));
    report.equal('dataParts', mediaTypes(expected), seen);
  },
  maxTextChars: (expected, { text }, report) =>
    report.atMost('maxTextChars', expected, text.length),
  saysTruncated: (expected, { text }, report) => {
    const says = /left out|leaves out|truncat|shortened|omitted|\bcut\b|not shown/i.test(text);
    report.check(says === booleanOf(expected, 'saysTruncated'), 'saysTruncated', expected, text);
  },
  maxMillis: (expected, { milliseconds }, report) =>
    report.atMost('maxMillis', expected, Math.round(milliseconds)),
  wellFormedUnicode: (expected, { text }, report) =>
    report.isTrue('wellFormedUnicode', expected, text.isWellFormed()),
  textNonEmpty: (expected, { text }, report) =>
    report.isTrue('textNonEmpty', expected, text.trim() !== ''),
  warn: (expected, { warnings }, report) =>
    report.check(warnings.length > 0 === booleanOf(expected, 'warn'), 'warn', expected, warnings),
  networkRequests: (expected, { connections }, report) =>
    report.equal('networkRequests', expected, connections),
};

function checkOccurrences(occurrence: JsonObject, text: string, report: Report): void {
  const { text: part, ...limits } = occurrence;
  if (typeof part !== 'string' || part === '') {
    throw new FixtureError('each of "occurrences" needs a "text".');
  }
  const count = text.split(part).length - 1;
  runChecks(limits, occurrenceChecks, { part, count }, report);
}

const occurrenceChecks: Checks<{ readonly part: string; readonly count: number }> = {
  max: (expected, { part, count }, report) => report.atMost(`${part} max`, expected, count),
  min: (expected, { part, count }, report) => report.atLeast(`${part} min`, expected, count),
  count: (expected, { part, count }, report) => report.equal(`${part} count`, expected, count),
};

/** Media types, each as a text or as `{ "mime": … }`. */
function mediaTypes(expected: JsonValue): JsonValue[] {
  if (!Array.isArray(expected)) throw new FixtureError('"dataParts" must be a list.');
  return expected.map((part) => {
    if (typeof part === 'string') return part;
    const { mime, ...others } = objectOf(part, 'dataParts');
    assertKnown(others, []);
    return mime ?? null;
  });
}
