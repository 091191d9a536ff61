import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import type { McpServers } from '../../../src/core/servers/mcpServers.ts';
import { buildCatalog, type CatalogTool } from '../../../src/core/tools/toolCatalog.ts';
import { ToolCaller } from '../../../src/core/tools/toolCaller.ts';
import { readTools } from '../../../src/core/tools/toolDefinition.ts';
import { serverOf } from '../../support/builders.ts';
import { toModel } from '../../support/modelArguments.ts';
import { root } from '../../support/sources.ts';
import { stubServers } from '../../support/stubServers.ts';
import { strictSchemaProblems } from '../../support/strictSchema.ts';

interface Check {
  readonly op: string;
  readonly value?: JsonValue;
  readonly path?: readonly string[];
}

interface Call {
  readonly fill?: JsonObject;
  readonly fillRaw?: JsonValue;
  readonly sent: JsonObject;
}

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly input: {
    readonly tool: { readonly name: string };
    readonly toolExtra?: JsonObject;
    readonly pages: readonly { readonly tools: readonly JsonObject[] }[];
  };
  readonly expect: {
    readonly registered?: boolean | 'either';
    readonly warn?: boolean;
    readonly checks?: readonly Check[];
    readonly accepts?: readonly JsonObject[];
    readonly rejects?: readonly JsonObject[];
    readonly calls?: readonly Call[];
    readonly registeredTools?: readonly string[];
    readonly warnMentions?: readonly string[];
  };
}

const cases = JSON.parse(readFileSync(join(root, 'test/cases/cases.json'), 'utf8')) as Case[];
const sibling = { name: 'sibling', inputSchema: { type: 'object', properties: {} } };

/** The tools of a server that lists these, and all that was found wrong with them. */
function catalogOf(listed: readonly unknown[]) {
  const { tools, problems } = readTools(listed);
  const catalog = buildCatalog([serverOf('s', tools)]);
  return { catalog, problems, toolNamed: (name: string) => catalog.tools.get(`s__${name}`) };
}

for (const { id, input, expect } of cases.filter(({ kind }) => kind === 'input-schema')) {
  test(`${id}: the schema is given on as it must be`, async () => {
    const { catalog, problems, toolNamed } = catalogOf([
      { ...input.tool, ...input.toolExtra },
      sibling,
    ]);
    assert.ok(toolNamed('sibling') !== undefined);
    const tool = toolNamed(input.tool.name);
    const warnings = problems.length + (tool?.repairs.length ?? 0);
    assert.ok(expect.registered !== true || tool !== undefined);
    assert.ok(expect.warn !== true || warnings > 0);
    if (tool === undefined) return;
    assert.deepEqual(strictSchemaProblems(tool.modelSchema), []);
    for (const check of expect.checks ?? []) assertCheck(tool, check);
    const accepts = assertAccepts(tool, expect);
    const { servers, sent } = recordingServers();
    const caller = new ToolCaller(servers, () => catalog);
    const { signal } = new AbortController();
    for (const { fill, fillRaw } of expect.calls ?? []) {
      const filled = fill === undefined ? fillRaw : toModel(fill, tool.aliases);
      if (fill !== undefined) assert.ok(accepts(filled));
      await caller.call(tool.exposedName, filled, signal);
    }
    assert.deepEqual(
      sent,
      (expect.calls ?? []).map((call) => call.sent),
    );
  });
}

for (const { id, input, expect } of cases.filter(({ kind }) => kind === 'tools-list')) {
  if (!/^B(?:09|12)/.test(id)) continue;
  test(`${id}: a bad output schema costs nothing but the check of results`, () => {
    const { catalog, problems } = catalogOf(input.pages.flatMap(({ tools }) => tools));
    const names = [...catalog.tools.values()].map(({ definition }) => definition.name);
    assert.deepEqual(names.toSorted(), [...(expect.registeredTools ?? [])].toSorted());
    const said = JSON.stringify(problems);
    for (const word of expect.warnMentions ?? []) assert.ok(said.includes(word));
  });
}

/** Checks what the schema for the model takes and refuses; gives the check. */
function assertAccepts(
  { modelSchema }: CatalogTool,
  { accepts = [], rejects = [] }: Case['expect'],
): (args: unknown) => boolean {
  const check = new Ajv2020({ strict: false, validateFormats: false }).compile(modelSchema);
  for (const args of accepts) assert.ok(check(args), JSON.stringify(args));
  for (const args of rejects) assert.ok(!check(args), JSON.stringify(args));
  return check;
}

/** Servers that answer every call, and the arguments they got. */
function recordingServers(): { servers: McpServers; sent: JsonObject[] } {
  const sent: JsonObject[] = [];
  const servers = stubServers({
    callTool: (call) => {
      sent.push(call.arguments);
      return Promise.resolve({ kind: 'answer', result: {} });
    },
  });
  return { servers, sent };
}

/** What is not listed here, `strictSchemaProblems` checks for every schema. */
function assertCheck({ modelSchema, aliases }: CatalogTool, { op, value, path = [] }: Check): void {
  const properties = modelSchema['properties'] as JsonObject;
  const required = (modelSchema['required'] ?? []) as string[];
  const originals = (names: readonly string[]): string[] =>
    names.map((name) => aliases?.originals.get(name) ?? name);
  const found = path.reduce<JsonValue | undefined>(
    (place, step) => (isJsonObject(place) ? place[step] : undefined),
    modelSchema,
  );
  switch (op) {
    case 'hasProperties':
      for (const name of value as string[])
        assert.ok(originals(Object.keys(properties)).includes(name), name);
      break;
    case 'propertyCount':
      assert.equal(Object.keys(properties).length, value);
      break;
    case 'requiredEq':
      assert.deepEqual(originals(required).toSorted(), (value as string[]).toSorted());
      break;
    case 'requiredCount':
      assert.equal(required.length, value);
      break;
    case 'valueAt':
      assert.deepEqual(found, value);
      break;
    case 'absentAt':
      assert.equal(found, undefined);
      break;
    default:
      assert.ok(strictlyChecked.has(op), op);
  }
}

const strictlyChecked = new Set([
  ...[
    'rootType',
    'noRootKeyword',
    'everyArrayHasItems',
    'itemsIsSchemaObject',
    'noTypeUnionOnArrays',
  ],
  ...['noKeyword', 'noBooleanSubschema', 'noBooleanRequired', 'noNullOrEmptyEnum', 'keysMatch'],
  ...['noUnresolvableRef', 'serializable', 'noConsoleOutput'],
]);
