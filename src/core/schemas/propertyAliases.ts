import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import { withoutHidden } from './annotations.ts';
import {
  branchesOf,
  pointerStep,
  propertiesOf,
  requiredOf,
  withSentence,
  type Report,
} from './schemaNode.ts';

/** Property names every model API takes. */
export const validPropertyName = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * How the values at one place of the arguments are named for the model. Alternatives of one place (`anyOf`) share
 * it, so that a name the model uses means one property whatever alternative was chosen.
 */
export interface PropertyAliases {
  /** The server's own name → the name the model uses, where they differ. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The name the model uses → the server's own, the same turned round. */
  readonly originals: ReadonlyMap<string, string>;
  /** The server's own name → what is inside of that property. */
  readonly properties: ReadonlyMap<string, PropertyAliases>;
  readonly items?: PropertyAliases;
  readonly additional?: PropertyAliases;
}

/** The aliases a schema without `$ref` needs; `undefined` if every name is fine as it is. */
export function propertyAliases(schema: JsonObject): PropertyAliases | undefined {
  return aliasesAt([schema]);
}

function aliasesAt(alternatives: readonly JsonObject[]): PropertyAliases | undefined {
  const nodes = alternatives
    .flatMap((node) => withAlternatives(node))
    .filter((node) => named.some((keyword) => node[keyword] !== undefined));
  if (nodes.length === 0) return undefined;
  const schemas = new Map<string, JsonObject[]>();
  for (const node of nodes) {
    for (const [name, schema] of Object.entries(propertiesOf(node))) {
      const known = schemas.get(name) ?? [];
      schemas.set(name, known);
      if (isJsonObject(schema)) known.push(schema);
    }
  }
  const aliases = assignAliases([...schemas.keys()]);
  const properties = new Map(
    [...schemas].flatMap(([name, inside]) => {
      const inner = aliasesAt(inside);
      return inner === undefined ? [] : [[name, inner] as const];
    }),
  );
  const below = (keyword: string): PropertyAliases | undefined => {
    const inside = nodes.map((node) => node[keyword]).filter((schema) => isJsonObject(schema));
    return inside.length === 0 ? undefined : aliasesAt(inside);
  };
  const [items, additional] = [below('items'), below('additionalProperties')];
  const isNeeded =
    aliases.size + properties.size > 0 || items !== undefined || additional !== undefined;
  if (!isNeeded) return undefined;
  return {
    aliases,
    originals: new Map([...aliases].map(([original, alias]) => [alias, original])),
    properties,
    ...(items !== undefined && { items }),
    ...(additional !== undefined && { additional }),
  };
}

/** The keywords below which there are names. */
const named = ['properties', 'items', 'additionalProperties'] as const;

function withAlternatives(node: JsonObject): JsonObject[] {
  return [node, ...branchesOf(node['anyOf']).flatMap((branch) => withAlternatives(branch))];
}

/** An alias for each name that needs one. Depends on the names only, not on their order. */
function assignAliases(names: readonly string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  if (names.every((name) => validPropertyName.test(name))) return aliases;
  const wanted = new Map<string, string[]>();
  for (const name of names) {
    const alias = validPropertyName.test(name) ? name : readableName(name);
    wanted.set(alias, [...(wanted.get(alias) ?? []), name]);
  }
  const taken = new Set(names.filter((name) => validPropertyName.test(name)));
  for (const [alias, claimants] of wanted) {
    for (const name of claimants.filter((claimant) => !validPropertyName.test(claimant))) {
      let unique = alias;
      // All that claim the same alias get a suffix, or the first one would depend on the order.
      for (
        let digits = 6;
        taken.has(unique) || (claimants.length > 1 && unique === alias);
        digits += 4
      ) {
        unique = withHash(alias, name, digits);
      }
      taken.add(unique);
      aliases.set(name, unique);
    }
  }
  return aliases;
}

/** `filter[name]` → `filter_name`, `$top` → `top`; a cut name ends in a hash of the whole. */
function readableName(name: string): string {
  const clean = name
    .slice(0, 256)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (clean === '') return withHash('property', name, 6);
  return clean.length <= 64 && name.length <= 256 ? clean : withHash(clean, name, 6);
}

function withHash(start: string, name: string, digits: number): string {
  return `${start.slice(0, 63 - digits)}_${shortHash(name, digits)}`;
}

/** The schema with the names the model gets; each renamed property says its own name. */
export function withAliases(
  node: JsonObject,
  aliases: PropertyAliases | undefined,
  path: string,
  report: Report,
): JsonObject {
  if (aliases === undefined) return node;
  const inside = (schema: JsonValue, at: string, inner: PropertyAliases | undefined): JsonValue =>
    isJsonObject(schema) ? withAliases(schema, inner, at, report) : schema;
  const result = { ...node };
  if (isJsonObject(node['properties'])) {
    const renamed = Object.entries(node['properties']).map(
      ([name, schema]): [string, JsonValue] => {
        const at = `${path}/properties/${pointerStep(name)}`;
        const inner = inside(schema, at, aliases.properties.get(name));
        const alias = aliases.aliases.get(name);
        if (alias === undefined) return [name, inner];
        report(at, `the name is given to the model as "${alias}"`);
        const shown = withoutHidden(name).slice(0, 200);
        return [
          alias,
          isJsonObject(inner) ? withSentence(inner, `Real name: ${shown.toWellFormed()}.`) : inner,
        ];
      },
    );
    result['properties'] = Object.fromEntries(renamed);
  }
  if (node['required'] !== undefined) {
    result['required'] = requiredOf(node).map((name) => aliases.aliases.get(name) ?? name);
  }
  for (const [keyword, inner] of [
    ['items', aliases.items],
    ['additionalProperties', aliases.additional],
  ] as const) {
    const schema = node[keyword];
    if (schema !== undefined) result[keyword] = inside(schema, `${path}/${keyword}`, inner);
  }
  if (Array.isArray(node['anyOf'])) {
    result['anyOf'] = node['anyOf'].map((branch, index) =>
      inside(branch, `${path}/anyOf/${index}`, aliases),
    );
  }
  return result;
}

/**
 * Arguments with the server's own property names in place of the aliases, at every level. Names that are
 * no aliases stay, so a caller may use the server's own.
 */
export function toServerArguments(
  aliases: PropertyAliases | undefined,
  args: JsonObject,
): JsonObject {
  return aliases === undefined ? args : (renamed(args, aliases) as JsonObject);
}

function renamed(value: JsonValue, aliases: PropertyAliases | undefined): JsonValue {
  if (aliases === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, aliases.items));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const original = aliases.originals.get(name) ?? name;
    // Given under both names, the server's own counts.
    const real = original !== name && Object.hasOwn(value, original) ? name : original;
    return [real, renamed(member, aliases.properties.get(real) ?? aliases.additional)];
  });
  return Object.fromEntries(entries);
}

/** The path of a value as the model knows it: the server's own names replaced by their aliases. */
export function toModelPath(
  aliases: PropertyAliases | undefined,
  steps: readonly string[],
): string[] {
  let place = aliases;
  return steps.map((step) => {
    const name = place?.aliases.get(step) ?? step;
    const isIndex = /^\d+$/.test(step);
    place =
      place?.properties.get(step) ??
      (isIndex ? (place?.items ?? place?.additional) : place?.additional);
    return name;
  });
}
