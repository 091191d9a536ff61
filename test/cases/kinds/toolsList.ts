import type { JsonValue } from '../../../src/base/json.ts';
import type { ConnectionState } from '../../../src/core/servers/connectionState.ts';
import { FakeServer } from '../fakeServer.ts';
import { expand, objectsOf, textsOf, type Fixture } from '../fixture.ts';
import { assertKnown, isSameSet, runChecks, type Checks, type Report } from '../report.ts';
import { TestBridge, type ExposedTool } from '../testBridge.ts';

const key = 'srv';

interface Seen {
  readonly state: ConnectionState;
  readonly exposed: readonly ExposedTool[];
  readonly warnings: readonly string[];
}

export async function runToolsList({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['pages']);
  const pages = objectsOf(input['pages'], 'pages');
  await using fake = await FakeServer.create(
    pages.map((page, at) => {
      const cursor = at === 0 ? undefined : expand(pages[at - 1]?.['nextCursor'] ?? null);
      return {
        when: 'request:tools/list',
        if:
          cursor === undefined
            ? { param: 'cursor', present: false }
            : { param: 'cursor', equals: cursor },
        do: [{ result: page }],
      };
    }),
  );
  await using bridge = new TestBridge({ [key]: fake.entry });
  const state = await bridge.settled(key);
  const exposed = state.kind === 'running' ? bridge.exposed(key) : [];
  runChecks(expect, checks, { state, exposed, warnings: bridge.remarks(key) }, report);
}

const checks: Checks<Seen> = {
  connected: (expected, { state }, report) => checkConnected(expected, state, report),
  registeredTools: (expected, { exposed }, report) => {
    const wanted = textsOf(expected, 'registeredTools');
    const seen = exposed.map(({ original }) => original);
    report.check(isSameSet(wanted, seen), 'registeredTools', wanted, seen);
  },
  warnMentions: (expected, { warnings }, report) =>
    report.mentions('warnMentions', expected, warnings.join('\n')),
  warnCountMin: (expected, { warnings }, report) =>
    report.atLeast('warnCountMin', expected, warnings.length),
  errorNotMentions: (expected, { state, warnings }, report) =>
    report.mentionsNot(
      'errorNotMentions',
      expected,
      [state.kind === 'error' ? state.message : '', ...warnings].join('\n'),
    ),
  wellFormedUnicode: (expected, { exposed }, report) => {
    const torn = exposed.flatMap(({ exposedName, displayName, description, inputSchema }) =>
      texts([exposedName, displayName, description, inputSchema]).filter(
        (text) => !text.isWellFormed(),
      ),
    );
    report.check((torn.length === 0) === expected, 'wellFormedUnicode', expected, torn);
  },
};

/** `connected`: true, false or "either". */
export function checkConnected(expected: JsonValue, state: ConnectionState, report: Report): void {
  if (expected === 'either') return;
  const seen = state.kind === 'error' ? `error: ${state.message}` : state.kind;
  report.check((state.kind === 'running') === expected, 'connected', expected, seen);
}

/** Every text of a JSON value, names of members included. */
function texts(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(texts);
  return Object.entries(value).flatMap(([name, member]) => [name, ...texts(member)]);
}
