import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { modelSchema } from '../../src/core/schemas/modelSchema.ts';
import { strictSchemaProblems } from './strictSchema.ts';

/** A schema of a server and what is made of it for the model. */
export interface RepairCase {
  readonly schema: JsonObject;
  readonly repaired: JsonObject;
  /** Places of the repairs. */
  readonly repairs?: readonly string[];
  readonly notes?: readonly string[];
}

/** A schema of an object. */
export function object(properties: JsonObject, members: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...members };
}

/** A schema with a description. */
export function told(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

/** Fails unless this comes of the schema, is accepted everywhere and needs no repair. */
export function assertRepaired({ schema, repaired, repairs = [], notes = [] }: RepairCase): void {
  const before = structuredClone(schema);
  const result = modelSchema(schema, { depth: 32 });
  assert.deepEqual(
    {
      schema: result.schema,
      repairs: result.repairs.map(({ where }) => where),
      notes: result.notes,
      original: schema,
      problems: strictSchemaProblems(result.schema),
    },
    { schema: repaired, repairs, notes, original: before, problems: [] },
  );
  assert.deepEqual(modelSchema(result.schema, { depth: 32 }), {
    schema: repaired,
    repairs: [],
    aliases: undefined,
    notes: [],
  });
}
