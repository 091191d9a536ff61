import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject } from '../../base/json.ts';

/** Most errors told in one answer; the rest are counted. */
const maxErrors = 8;

const options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  // Two servers may use the same `$id` for different schemas.
  addUsedSchema: false,
  validateSchema: false,
  // Else an argument named `constructor` would always be there.
  ownProperties: true,
  logger: false,
} as const;

/** Arguments are either fine, or there is text that says for each wrong one where and why. */
export type ArgumentVerdict =
  { readonly isValid: true } | { readonly isValid: false; readonly message: string };

/**
 * Checks tool arguments against the server's own input schema (JSON Schema draft-06 to 2020-12; without
 * `$schema` 2020-12, as the MCP specification says). A schema that cannot be compiled checks
 * nothing: the server then judges by itself. Compiled once per schema object.
 */
export class ArgumentCheck {
  readonly #compiled = new WeakMap<JsonObject, ValidateFunction | 'unusable'>();
  readonly #validators = new Map<Dialect, Ajv>();

  check(schema: JsonObject, args: JsonObject): ArgumentVerdict {
    const validate = this.#compile(schema);
    if (validate === 'unusable' || validate(args)) return { isValid: true };
    const errors = mostTelling(validate.errors ?? []);
    const lines = errors.slice(0, maxErrors).map((error) => `- ${describe(error)}`);
    if (errors.length > maxErrors) lines.push(`- and ${errors.length - maxErrors} more`);
    return { isValid: false, message: lines.join('\n') };
  }

  #compile(schema: JsonObject): ValidateFunction | 'unusable' {
    const known = this.#compiled.get(schema);
    if (known !== undefined) return known;
    let compiled: ValidateFunction | 'unusable';
    try {
      compiled = this.#compileIn(dialectOf(schema), schema);
    } catch {
      compiled = 'unusable';
    }
    this.#compiled.set(schema, compiled);
    return compiled;
  }

  #compileIn(
    dialect: Dialect,
    // `id` is what `$id` was before draft-06; the validator refuses it.
    { $schema: _dialect, id: _id, ...schema }: JsonObject,
  ): ValidateFunction {
    const validator = this.#validators.get(dialect) ?? createValidator(dialect);
    this.#validators.set(dialect, validator);
    const compiled = validator.compile(schema);
    validator.removeSchema(schema);
    return compiled;
  }
}

type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** `$schema` only picks the dialect; an unknown address must not make the schema useless. */
function dialectOf({ $schema: dialect }: JsonObject): Dialect {
  const name = typeof dialect === 'string' ? dialect : '';
  if (/draft-0?[34567]/.test(name)) return 'draft-07';
  return name.includes('2019-09') ? '2019-09' : '2020-12';
}

function createValidator(dialect: Dialect): Ajv {
  switch (dialect) {
    case 'draft-07':
      return new Ajv(options);
    case '2019-09':
      return new Ajv2019(options);
    case '2020-12':
      return new Ajv2020(options);
  }
}

/** The errors inside each branch of a failed `anyOf`/`oneOf` are noise beside the branch error itself when many. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors.filter(
    (error) =>
      unions.includes(error) ||
      !unions.some(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`)),
  );
}

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const path = instancePath === '' ? '' : pointerToPath(instancePath);
  const at = path === '' ? 'the arguments' : `"${path}"`;
  const given: unknown = params;
  const parameter = (name: string): string => {
    const value = isJsonObject(given) ? given[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const inside = (name: string): string => (path === '' ? name : `${path}.${name}`);
  switch (keyword) {
    case 'required':
      return `"${inside(parameter('missingProperty'))}" is required`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `"${inside(parameter('additionalProperty') || parameter('unevaluatedProperty'))}" is not a known argument`;
    case 'enum':
      return `${at} must be one of ${isJsonObject(given) ? JSON.stringify(given['allowedValues']).slice(0, 500) : 'the allowed values'}`;
    case 'const':
      return `${at} must be ${isJsonObject(given) ? JSON.stringify(given['allowedValue']).slice(0, 200) : 'the given constant'}`;
    case 'anyOf':
    case 'oneOf':
      return `${at} fits none of the allowed forms`;
    default:
      return `${at} ${message ?? 'is not valid'}`;
  }
}

/** `/items/0/name` → `items[0].name` */
function pointerToPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => {
      if (/^\d+$/.test(step)) return `${path}[${step}]`;
      return path === '' ? step : `${path}.${step}`;
    }, '');
}
