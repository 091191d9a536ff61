import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { errorMessage } from '../../../src/base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { FakeServer } from '../fakeServer.ts';
import { FixtureError, booleanOf, expand, objectOf, objectsOf, type Fixture } from '../fixture.ts';
import { countConnections, watchConsole } from '../observers.ts';
import { fillExposed, type SchemaPair } from '../originalKeys.ts';
import { Report, assertKnown, runChecks, type Checks } from '../report.ts';
import { TestBridge, type ExposedTool } from '../testBridge.ts';
import { callTool, textOf } from '../toolCalls.ts';
import { checkSchema, type SeenSchema } from './schemaChecks.ts';

const key = 'srv';
const sibling = 'sibling';

interface Seen extends SeenSchema {
  /** `undefined` when the tool is not offered. */
  readonly tool: ExposedTool | undefined;
  readonly isSiblingExposed: boolean;
  /** What was said about the tool. */
  readonly remarks: readonly string[];
  readonly connections: number;
}

export async function runInputSchema({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['tool', 'toolExtra']);
  const tool = {
    ...objectOf(input['tool'], 'tool'),
    ...objectOf(input['toolExtra'] ?? {}, 'toolExtra'),
  };
  const tools = [tool, { name: sibling, inputSchema: { type: 'object', properties: {} } }];
  await using fake = await FakeServer.create([
    { when: 'request:tools/list', do: [{ result: { tools } }] },
  ]);
  using written = watchConsole();
  using connections = countConnections();
  const startedAt = performance.now();
  await using bridge = new TestBridge({ [key]: fake.entry });
  const state = await bridge.settled(key);
  const exposed = bridge.exposed(key);
  const milliseconds = performance.now() - startedAt;
  if (state.kind === 'error') report.fail('connected', true, state.message);
  const name = expand(tool['name'] ?? null);
  const found = exposed.find(({ original }) => original === name);
  const schema = expand(tool['inputSchema'] ?? null);
  const pair: SchemaPair = {
    original: isJsonObject(schema) ? schema : {},
    exposed: found?.inputSchema ?? {},
  };
  const { calls, ...others } = expect;
  // Watched too: a validator may write or fetch with the first call only.
  if (found !== undefined) await runCalls(calls ?? [], { bridge, fake, tool: found, pair }, report);
  else if (calls !== undefined) report.fail('calls', 'a tool that can be called', 'not registered');
  const seen: Seen = {
    ...pair,
    tool: found,
    isSiblingExposed: exposed.some(({ original }) => original === sibling),
    remarks: bridge
      .remarks(key)
      .filter((remark) => typeof name !== 'string' || remark.includes(name)),
    milliseconds,
    connections: connections.seen,
    consoleOutput: [...written.seen],
  };
  runChecks(others, checks, seen, report);
}

const checks: Checks<Seen> = {
  registered: (expected, { tool, remarks }, report) => {
    if (expected === 'either') return;
    const isRegistered = booleanOf(expected, 'registered');
    report.check((tool !== undefined) === isRegistered, 'registered', expected, remarks);
  },
  siblingsRegistered: (expected, { isSiblingExposed }, report) =>
    report.isTrue('siblingsRegistered', expected, isSiblingExposed),
  warn: (expected, { remarks }, report) =>
    report.check(remarks.length > 0 === booleanOf(expected, 'warn'), 'warn', expected, remarks),
  networkRequests: (expected, { connections }, report) =>
    report.equal('networkRequests', expected, connections),
  checks: (expected, seen, report) => {
    // Without the tool there is nothing to check, but each op must be known all the same.
    const target = seen.tool === undefined ? new Report() : report;
    for (const check of objectsOf(expected, 'checks')) checkSchema(check, seen, target);
  },
  accepts: (expected, seen, report) => judge('accepts', expected, seen, report),
  rejects: (expected, seen, report) => judge('rejects', expected, seen, report),
};

/** Whether the exposed schema takes, or refuses, each of the argument objects. */
function judge(what: 'accepts' | 'rejects', expected: JsonValue, seen: Seen, report: Report): void {
  if (!Array.isArray(expected)) throw new FixtureError(`"${what}" must be a list.`);
  if (seen.tool === undefined) return;
  const validate = validatorOf(seen.exposed, report);
  if (validate === undefined) return;
  for (const args of expected) {
    const isAccepted = validate(fillExposed(args, seen));
    const errors = JSON.stringify(
      validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`),
    );
    report.check(isAccepted === (what === 'accepts'), what, args, isAccepted ? 'accepted' : errors);
  }
}

/** `undefined` after a failure, when the schema is none. */
function validatorOf(schema: JsonObject, report: Report): ValidateFunction | undefined {
  const options = { strict: false, validateFormats: false, logger: false } as const;
  const dialect = schema['$schema'];
  const isOld = typeof dialect === 'string' && /draft-0[467]/.test(dialect);
  const { $schema: _dialect, ...rest } = schema;
  try {
    return isOld ? new Ajv(options).compile(rest) : new Ajv2020(options).compile(rest);
  } catch (error: unknown) {
    report.fail('exposed schema', 'a schema that can be compiled', errorMessage(error));
    return undefined;
  }
}

interface CallContext {
  readonly bridge: TestBridge;
  readonly fake: FakeServer;
  readonly tool: ExposedTool;
  readonly pair: SchemaPair;
}

async function runCalls(calls: JsonValue, context: CallContext, report: Report): Promise<void> {
  const { bridge, fake, tool, pair } = context;
  for (const call of objectsOf(calls, 'calls')) {
    assertKnown(call, ['fill', 'fillRaw', 'sent']);
    const { fill, fillRaw, sent } = call;
    const input = Object.hasOwn(call, 'fillRaw') ? fillRaw : fillExposed(fill ?? {}, pair);
    const before = fake.requests('tools/call').length;
    const { outcome } = await callTool(bridge, tool.exposedName, input);
    const [request] = fake.requests('tools/call').slice(before);
    const seen = request?.params['arguments'];
    if (sent === undefined) continue;
    if (request === undefined && !isAbsent(sent)) report.fail('sent', sent, textOf(outcome));
    else report.equal('sent', sent, seen);
  }
}

function isAbsent(value: JsonValue): boolean {
  return isJsonObject(value) && value['$absent'] === true;
}
