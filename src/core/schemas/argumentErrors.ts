import type { ErrorObject } from 'ajv';
import { toModelPath, type PropertyAliases } from './propertyAliases.ts';

/** Most errors told in one answer; the rest are counted. */
const maxErrors = 8;

/** The errors of one check as a list in Markdown, with the names the model knows. */
export function describeErrors(
  errors: readonly ErrorObject[],
  aliases: PropertyAliases | undefined,
): string {
  const telling = [...new Set(mostTelling(errors).map((error) => describe(error, aliases)))];
  const lines = telling.slice(0, maxErrors).map((text) => `- ${text}`);
  if (telling.length > maxErrors) lines.push(`- and ${telling.length - maxErrors} more`);
  return lines.join('\n');
}

/** The errors inside each branch of a failed `anyOf`/`oneOf` are noise beside the branch error itself when many. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  return errors.filter(
    (error) =>
      unions.includes(error) ||
      !unions.some(
        ({ schemaPath, instancePath }) =>
          error.schemaPath.startsWith(`${schemaPath}/`) ||
          (error.instancePath.startsWith(instancePath) && isInDefinition(error)),
      ),
  );
}

/** Errors behind a `$ref` are told with the place of the definition. */
const isInDefinition = ({ schemaPath }: ErrorObject): boolean => schemaPath.startsWith('#/$defs/');

function describe(
  { instancePath, keyword, params, message }: ErrorObject,
  aliases: PropertyAliases | undefined,
): string {
  const steps = stepsOf(instancePath);
  const path = pathText(toModelPath(aliases, steps));
  const at = path === '' ? 'the arguments' : `"${path}"`;
  const given: Record<string, unknown> = params;
  const inside = (parameter: string): string => {
    const name = given[parameter];
    return pathText(toModelPath(aliases, [...steps, typeof name === 'string' ? name : '']));
  };
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return `"${inside('missingProperty')}" is required`;
    case 'additionalProperties':
      return `"${inside('additionalProperty')}" is not a known argument`;
    case 'unevaluatedProperties':
      return `"${inside('unevaluatedProperty')}" is not a known argument`;
    case 'enum':
      return `${at} must be one of ${json(given['allowedValues'], 500)}`;
    case 'const':
      return `${at} must be ${json(given['allowedValue'], 200)}`;
    case 'pattern':
      return `${at} must match the pattern ${json(given['pattern'], 300)}`;
    case 'anyOf':
    case 'oneOf':
      return `${at} fits none of the allowed forms`;
    case 'false schema':
      return `${at} is not allowed`;
    default:
      return `${at} ${message ?? 'is not valid'}`;
  }
}

function json(value: unknown, limit: number): string {
  return (JSON.stringify(value) ?? 'something else').slice(0, limit).toWellFormed();
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `items`, `0`, `name` → `items[0].name` */
function pathText(steps: readonly string[]): string {
  return steps.reduce((path, step) => {
    if (/^\d+$/.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}
