import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ServerConfiguration } from '../../../src/core/settings/serverConfiguration.ts';
import { ApprovalLedger } from '../../../src/core/tools/approvalLedger.ts';
import { buildCatalog, type CatalogTool } from '../../../src/core/tools/toolCatalog.ts';
import type { ToolDefinition } from '../../../src/core/tools/toolDefinition.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';

function toolWith(
  definition: Partial<ToolDefinition> = {},
  configuration: Partial<ServerConfiguration> = {},
  name = 'run',
): CatalogTool {
  const { tools } = buildCatalog([
    serverOf(configurationOf('s', configuration), [toolOf(name, definition)]),
  ]);
  return tools.get(`s__${name}`) ?? assert.fail();
}

const tool = toolWith();
const inChat = { mayBeEdited: true };
const elsewhere = { mayBeEdited: false };

/** Issues the arguments in turn, redeems the others in turn and gives what came of it. */
function redeemed(issued: readonly JsonObject[], called: readonly JsonObject[], where = elsewhere) {
  const ledger = new ApprovalLedger(() => 0);
  for (const args of issued) ledger.issue(tool, args);
  return called.map((args) => ledger.redeem(tool, args, where));
}

const cases: readonly {
  readonly what: string;
  readonly issued: readonly JsonObject[];
  readonly called: readonly JsonObject[];
  readonly where?: typeof inChat;
  readonly passes: readonly boolean[];
}[] = [
  { what: 'a call nobody prepared', issued: [], called: [{}], where: inChat, passes: [false] },
  {
    what: 'one ticket, one call',
    issued: [{ a: 1 }],
    called: [{ a: 1 }, { a: 1 }],
    passes: [true, false],
  },
  {
    what: 'keys in another order',
    issued: [{ a: 1, b: 2 }],
    called: [{ b: 2, a: 1 }],
    passes: [true],
  },
  {
    what: 'other arguments',
    issued: [{ a: 1 }],
    called: [{ a: 2 }, { a: 1 }],
    passes: [false, true],
  },
  {
    what: 'equal calls in parallel',
    issued: [{}, {}],
    called: [{}, {}, {}],
    passes: [true, true, false],
  },
  {
    what: 'input edited in the chat, once per question',
    issued: [{ a: 1 }],
    called: [{ a: 2 }, { a: 3 }],
    where: inChat,
    passes: [true, false],
  },
  {
    what: 'one of two calls edited, whichever runs first',
    issued: [{ a: 1 }, { a: 2 }],
    called: [{ a: 3 }, { a: 1 }, { a: 2 }],
    where: inChat,
    passes: [true, true, false],
  },
  {
    what: 'names of prototypes',
    issued: [JSON.parse('{"__proto__":1}')],
    called: [{}],
    passes: [false],
  },
];

for (const { what, issued, called, where, passes } of cases) {
  test(`tickets: ${what}`, () => {
    assert.deepEqual(redeemed(issued, called, where), passes);
  });
}

const changes: readonly (readonly [what: string, other: CatalogTool])[] = [
  ['description', toolWith({ description: 'Other.' })],
  ['annotations', toolWith({ annotations: { destructiveHint: true } })],
  ['schema', toolWith({ inputSchema: { type: 'object' } })],
  ['launch', toolWith({}, { launch: { type: 'stdio', command: 'other', args: [], env: {} } })],
  ['server', toolWith({}, { origin: { scope: 'workspace' } })],
  ['name', toolWith({}, {}, 'walk')],
];

for (const [what, other] of changes) {
  test(`T49 a ticket does not count for a tool whose ${what} is another`, () => {
    const ledger = new ApprovalLedger(() => 0);
    ledger.issue(tool, {});
    assert.equal(ledger.redeem(other, {}, inChat), false);
    assert.equal(ledger.redeem(toolWith(), {}, elsewhere), true);
  });
}

test('a ticket ends after an hour', () => {
  let now = 0;
  const ledger = new ApprovalLedger(() => now);
  ledger.issue(tool, { a: 1 });
  ledger.issue(tool, { a: 2 });
  now = 60 * 60 * 1000 - 1;
  assert.equal(ledger.redeem(tool, { a: 1 }, elsewhere), true);
  now += 1;
  assert.equal(ledger.redeem(tool, { a: 2 }, elsewhere), false);
});

test('of too many tickets the oldest go', () => {
  const ledger = new ApprovalLedger(() => 0);
  for (let n = 0; n < 300; n++) ledger.issue(tool, { n });
  const passes = (n: number) => ledger.redeem(tool, { n }, elsewhere);
  assert.deepEqual([43, 44, 299].map(passes), [false, true, true]);
});

test('arguments of any depth have tickets', () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 20_000; level++) deep = { deep };
  assert.deepEqual(redeemed([deep], [deep, deep]), [true, false]);
});
