import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { modelSchema } from '../../../src/core/schemas/modelSchema.ts';
import { toServerArguments } from '../../../src/core/schemas/propertyAliases.ts';
import { fullValue, toModel } from '../../support/modelArguments.ts';
import { Random } from '../../support/random.ts';
import { mutated } from '../../support/schemaMutations.ts';
import { root } from '../../support/sources.ts';
import { strictSchemaProblems } from '../../support/strictSchema.ts';

const depth = 32;

/** The input schemas of all recorded cases. */
function recordedSchemas(): JsonObject[] {
  const cases = JSON.parse(readFileSync(join(root, 'test/cases/cases.json'), 'utf8')) as JsonValue;
  const found: JsonObject[] = [];
  const collect = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isJsonObject(value) && isJsonObject(value['inputSchema'])) found.push(value['inputSchema']);
    Object.values(value).forEach(collect);
  };
  collect(cases);
  return found;
}

/** Fails unless the schema is repaired to one that nobody refuses and that needs no repair. */
function assertStrict(schema: JsonObject): void {
  const first = modelSchema(schema, { depth });
  const second = modelSchema(first.schema, { depth });
  assert.deepEqual(
    {
      problems: strictSchemaProblems(first.schema),
      again: second.repairs,
      schema: second.schema,
      aliases: second.aliases,
      notes: second.notes,
    },
    { problems: [], again: [], schema: first.schema, aliases: undefined, notes: [] },
    JSON.stringify(schema).slice(0, 3000),
  );
  const full = fullValue(first.schema);
  assert.ok(isJsonObject(full));
  const sent = toServerArguments(first.aliases, full);
  assert.deepEqual(toModel(sent, first.aliases), full, JSON.stringify(schema).slice(0, 3000));
  assert.deepEqual(toServerArguments(first.aliases, sent), sent);
}

test('every recorded schema, and thousands of broken variants, become one that nobody refuses and that can be called', () => {
  const schemas = recordedSchemas();
  assert.ok(schemas.length > 30);
  schemas.forEach(assertStrict);
  const random = new Random(20_261);
  let changed = 0;
  for (let round = 0; round < 1500; round++) {
    let schema: JsonValue = schemas[round % schemas.length] ?? {};
    for (let times = random.below(6); times >= 0 && isJsonObject(schema); times--) {
      schema = mutated(schema, random);
    }
    if (!isJsonObject(schema)) continue;
    assertStrict(schema);
    changed += modelSchema(schema, { depth }).repairs.length > 0 ? 1 : 0;
  }
  assert.ok(changed > 800, `${changed}`);
});
