import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { asText, FixtureError, booleanOf, numberOf, textsOf } from '../fixture.ts';
import { exposedKey, type SchemaPair } from '../originalKeys.ts';
import { isMatch, isSameSet, type Report } from '../report.ts';
import { own, resolveRef, schemaObjects, schemaPlaces, valueAt } from '../schemaWalk.ts';

/** What the checks of a schema look at. */
export interface SeenSchema extends SchemaPair {
  /** From the start of the server until the schema was there. */
  readonly milliseconds: number;
  readonly consoleOutput: readonly string[];
}

type SchemaCheck = (check: JsonObject, seen: SeenSchema, report: Report) => void;

/** Runs one member of `checks`. An `op` or a member that is not known is a failure. */
export function checkSchema(check: JsonObject, seen: SeenSchema, report: Report): void {
  const { op, value: _value, ...others } = check;
  const run = typeof op === 'string' && Object.hasOwn(ops, op) ? ops[op] : undefined;
  if (run === undefined) throw new FixtureError(`unknown op: ${JSON.stringify(op)}`);
  const members = Object.keys(others).filter((name) => !(options[asText(op)] ?? []).includes(name));
  if (members.length > 0) {
    throw new FixtureError(`unknown members of the op ${asText(op)}: ${members.join(', ')}`);
  }
  run(check, seen, report);
}

const options: Readonly<Record<string, readonly string[]>> = {
  keysMatch: ['deep'],
  valueAt: ['path'],
  absentAt: ['path'],
};

const ops: Readonly<Record<string, SchemaCheck>> = {
  rootType: ({ value = null }, { exposed }, report) =>
    report.equal('rootType', value, own(exposed, 'type')),
  noRootKeyword: ({ value }, { exposed }, report) => {
    for (const keyword of textsOf(value, 'noRootKeyword')) {
      report.equal(`root ${keyword}`, { $absent: true }, own(exposed, keyword));
    }
  },
  hasProperties: ({ value }, seen, report) => {
    const offered = Object.keys(propertiesOf(seen.exposed));
    for (const key of textsOf(value, 'hasProperties')) {
      const name = exposedKey(key, seen) ?? key;
      report.check(offered.includes(name), 'hasProperties', key, offered);
    }
  },
  propertyCount: ({ value = null }, { exposed }, report) =>
    report.equal('propertyCount', value, Object.keys(propertiesOf(exposed)).length),
  requiredEq: ({ value }, seen, report) => {
    const wanted = textsOf(value ?? [], 'requiredEq').map((key) => exposedKey(key, seen) ?? key);
    const required = requiredOf(seen.exposed);
    report.check(isSameSet(wanted, required), 'requiredEq', wanted, required);
  },
  requiredCount: ({ value = null }, { exposed }, report) =>
    report.equal('requiredCount', value, requiredOf(exposed).length),
  everyArrayHasItems: none('everyArrayHasItems', ({ exposed }) =>
    schemaObjects(exposed).filter(({ node }) => isArray(node) && own(node, 'items') === undefined),
  ),
  itemsIsSchemaObject: none('itemsIsSchemaObject', ({ exposed }) =>
    schemaObjects(exposed).filter(({ node }) => {
      const items = own(node, 'items');
      return items !== undefined && !isJsonObject(items);
    }),
  ),
  noTypeUnionOnArrays: none('noTypeUnionOnArrays', ({ exposed }) => {
    const nodes = schemaObjects(exposed);
    const items = nodes
      .filter(({ node }) => isArray(node))
      .flatMap(({ path, node }) => {
        const value = own(node, 'items');
        return isJsonObject(value) ? [{ path: `${path}/items`, node: value }] : [];
      });
    const arrays = nodes.filter(({ node }) => isArray(node));
    return [...arrays, ...items].filter(({ node }) => Array.isArray(own(node, 'type')));
  }),
  noKeyword: ({ value }, { exposed }, report) => {
    for (const keyword of textsOf(value, 'noKeyword')) {
      const found = schemaObjects(exposed).filter(({ node }) => Object.hasOwn(node, keyword));
      report.check(found.length === 0, 'noKeyword', `no ${keyword}`, pathsOf(found));
    }
  },
  noBooleanSubschema: none('noBooleanSubschema', ({ exposed }) =>
    schemaPlaces(exposed).filter(({ value }) => typeof value === 'boolean'),
  ),
  noBooleanRequired: none('noBooleanRequired', ({ exposed }) =>
    schemaObjects(exposed).filter(({ node }) => typeof own(node, 'required') === 'boolean'),
  ),
  noNullOrEmptyEnum: none('noNullOrEmptyEnum', ({ exposed }) =>
    schemaObjects(exposed).filter(({ node }) => {
      const values = own(node, 'enum');
      return values === null || (Array.isArray(values) && values.length === 0);
    }),
  ),
  noUnresolvableRef: none('noUnresolvableRef', ({ exposed }) =>
    schemaObjects(exposed).filter(({ node }) => {
      const ref = own(node, '$ref');
      return ref !== undefined && resolveRef(exposed, ref) === undefined;
    }),
  ),
  keysMatch: ({ value, deep = true }, { exposed }, report) => {
    const [pattern = ''] = textsOf(value, 'keysMatch');
    const expression = new RegExp(pattern, 'u');
    const nodes = booleanOf(deep, 'deep') ? schemaObjects(exposed) : [{ node: exposed }];
    const wrong = nodes
      .flatMap(({ node }) => Object.keys(propertiesOf(node)))
      .filter((key) => !expression.test(key));
    report.check(wrong.length === 0, 'keysMatch', pattern, wrong);
  },
  valueAt: ({ path, value = null }, seen, report) => {
    const found = valueAt(seen.exposed, pathOf(path));
    const isSame = isMatch(value, found) || (isRequiredPath(path) && isSameList(value, found));
    report.check(isSame, `valueAt ${JSON.stringify(path)}`, value, found);
  },
  absentAt: ({ path }, { exposed }, report) =>
    report.equal(
      `absentAt ${JSON.stringify(path)}`,
      { $absent: true },
      valueAt(exposed, pathOf(path)),
    ),
  serializable: (_check, { exposed }, report) => {
    try {
      JSON.stringify(exposed);
    } catch (error: unknown) {
      report.fail('serializable', 'JSON', String(error));
    }
  },
  maxBytes: ({ value = null }, { exposed }, report) =>
    report.atMost('maxBytes', value, Buffer.byteLength(JSON.stringify(exposed))),
  maxMillis: ({ value }, { milliseconds }, report) =>
    report.atMost('maxMillis', numberOf(value, 'maxMillis'), Math.round(milliseconds)),
  noConsoleOutput: (_check, { consoleOutput }, report) =>
    report.equal('noConsoleOutput', [], consoleOutput),
};

/** A check that holds when nothing of a kind is found. */
function none(what: string, find: (seen: SeenSchema) => readonly { path: string }[]): SchemaCheck {
  return (_check, seen, report) => {
    const found = find(seen);
    report.check(found.length === 0, what, 'nowhere else', pathsOf(found));
  };
}

function pathsOf(found: readonly { path: string }[]): string[] {
  return found.map(({ path }) => path);
}

function isArray(node: JsonObject): boolean {
  const type = own(node, 'type');
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

function propertiesOf(node: JsonObject): JsonObject {
  const properties = own(node, 'properties');
  return isJsonObject(properties) ? properties : {};
}

function requiredOf(node: JsonObject): JsonValue[] {
  const required = own(node, 'required');
  return Array.isArray(required) ? required : [];
}

function pathOf(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new FixtureError('"path" must be a list of names and indexes.');
}

/** `required` is a set, whatever its order. */
function isRequiredPath(path: JsonValue | undefined): boolean {
  return Array.isArray(path) && path.at(-1) === 'required';
}

function isSameList(left: JsonValue, right: JsonValue | undefined): boolean {
  return Array.isArray(left) && Array.isArray(right) && isSameSet(left, right);
}
