import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { describeErrors } from './argumentErrors.ts';
import { coerceModern } from './coerceArguments.ts';
import { linearRegExp } from './linearRegExp.ts';
import { modernSchema } from './modernSchema.ts';
import type { PropertyAliases } from './propertyAliases.ts';
import { mapSubschemas } from './schemaNode.ts';

/** Largest schema that is compiled, in schema nodes: it takes about half a millisecond for each. */
const maxNodes = 1500;
/** Most references followed in one check: schemas that refer to themselves twice can take forever. */
const maxReferences = 100_000;

/** Stands beside each `$ref` and counts how often it is followed. */
const counter = 'x-mcp-bridge-count';

/** Arguments are either fine, perhaps after a change, or there is text that says for each wrong one where and why. */
export type ArgumentVerdict =
  | { readonly isValid: true; readonly args: JsonObject }
  | { readonly isValid: false; readonly message: string };

/** A schema made ready for checks. `validate` is missing if it is too large or cannot be compiled. */
interface Compiled {
  readonly modern: JsonObject;
  readonly validate: ValidateFunction | undefined;
}

/**
 * Checks tool arguments against the server's own input schema, in whatever dialect it is written (JSON Schema
 * draft-03 to 2020-12, OpenAPI). It takes time in proportion to the arguments: patterns run on a linear engine,
 * references are counted, formats are not checked. A schema of more than 1,500 nodes, or one that cannot be
 * compiled, checks nothing: the server then judges by itself. Compiled once per schema object.
 */
export class ArgumentCheck {
  readonly #compiled = new WeakMap<JsonObject, Compiled>();
  #followed = 0;
  readonly #validator = new Ajv2020({
    allErrors: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
    addUsedSchema: false,
    inlineRefs: false,
    // Else an argument named `constructor` would always be there.
    ownProperties: true,
    logger: false,
    code: { regExp: Object.assign((pattern: string) => linearRegExp(pattern), { code: '' }) },
    keywords: [
      {
        keyword: counter,
        validate: () => {
          this.#followed += 1;
          if (this.#followed > maxReferences) throw new RangeError('too many references');
          return true;
        },
      },
    ],
  });

  /**
   * Arguments that do not fit are changed as a careful person would (`coerceArguments`), if they fit then. Names
   * in the arguments are the server's own, those in messages the model's.
   */
  check(schema: JsonObject, args: JsonObject, aliases?: PropertyAliases): ArgumentVerdict {
    const { modern, validate } = this.#compile(schema);
    if (validate === undefined || this.#fits(validate, args)) return { isValid: true, args };
    const coerced = coerceModern(modern, args, aliases);
    if (this.#fits(validate, coerced)) return { isValid: true, args: coerced };
    return { isValid: false, message: describeErrors(validate.errors ?? [], aliases) };
  }

  /** What of any JSON value does not fit a schema, as it is; `undefined` if all does, or none of it can be judged. */
  problems(schema: JsonObject, value: unknown): string | undefined {
    const { validate } = this.#compile(schema);
    if (validate === undefined || this.#fits(validate, value)) return undefined;
    return describeErrors(validate.errors ?? [], undefined);
  }

  /** Whether the arguments fit, or take too long to check. */
  #fits(validate: ValidateFunction, args: unknown): boolean {
    this.#followed = 0;
    try {
      return validate(args);
    } catch {
      return true;
    }
  }

  #compile(schema: JsonObject): Compiled {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    const modern = modernSchema(schema);
    const compiled = { modern, validate: this.#validate(modern) };
    this.#compiled.set(schema, compiled);
    return compiled;
  }

  #validate(modern: JsonObject): ValidateFunction | undefined {
    const counted = withCounters(modern);
    if (counted === undefined) return undefined;
    try {
      const validate = this.#validator.compile(counted);
      this.#validator.removeSchema(counted);
      return validate;
    } catch {
      return undefined;
    }
  }
}

/** The schema with a counter beside each `$ref`; `undefined` if it has too many nodes. */
function withCounters(modern: JsonObject): JsonObject | undefined {
  let nodes = 0;
  const visit = (value: JsonValue): JsonValue => {
    nodes += 1;
    if (!isJsonObject(value) || nodes > maxNodes) return value;
    const node = mapSubschemas(value, '', visit);
    return node['$ref'] === undefined ? node : { [counter]: true, ...node };
  };
  const root = visit(modern);
  const { $defs } = modern;
  const definitions = Object.entries(isJsonObject($defs) ? $defs : {}).map(
    ([name, schema]) => [name, visit(schema)] as const,
  );
  if (nodes > maxNodes || !isJsonObject(root)) return undefined;
  return { ...root, $defs: Object.fromEntries(definitions) };
}
