import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { FixtureError, objectOf, objectsOf } from '../fixture.ts';

/** One rule of a script: what the server does at an event. The first rule that fits counts. */
export interface Rule {
  readonly when: string;
  /** Only at these occurrences of the event, from 1. */
  readonly nth?: readonly number[];
  readonly if?: Condition;
  readonly do: readonly JsonObject[];
}

export interface Condition {
  readonly param: string;
  readonly equals?: JsonValue;
  readonly present?: boolean;
}

const events =
  /^(spawn|stdin-end|request:.+|notification:.+|response:.+|responses:.+|signal:SIG[A-Z0-9]+)$/;
/** The member that says what a step does. */
const actions = [
  'replyTo',
  'default',
  'result',
  'error',
  'notify',
  'progress',
  'ask',
  'stdout',
  'stderr',
  'sleepMs',
  'exit',
  'ignore',
  'spawnChild',
  'touchFile',
  'repeat',
] as const;
const companions: Readonly<Record<string, readonly string[]>> = {
  replyTo: ['result', 'error', 'wire'],
  default: ['wire'],
  result: ['wire'],
  error: ['wire'],
  notify: ['wire'],
  progress: ['wire'],
  ask: ['wire'],
  repeat: ['do'],
};
const wireOptions = ['splitEveryBytes', 'bom', 'eol', 'idAs'];

/** What a step does: the first action among its members. */
export function actionOf(step: JsonObject): (typeof actions)[number] | undefined {
  return actions.find((action) => Object.hasOwn(step, action));
}

/** Reads a script. Throws a `FixtureError` for whatever a fake server would have to pass over. */
export function parseScript(value: JsonValue | undefined): Rule[] {
  return objectsOf(value ?? [], 'script').map((rule) => {
    const { when, nth, if: condition, do: steps } = rule;
    if (typeof when !== 'string' || !events.test(when)) unknown('event', when);
    rejectOthers(rule, ['when', 'nth', 'if', 'do'], 'rule');
    return {
      when,
      do: parseSteps(steps),
      ...(nth !== undefined && { nth: numbersOf(nth) }),
      ...(condition !== undefined && { if: parseCondition(condition) }),
    };
  });
}

function parseSteps(value: JsonValue | undefined): JsonObject[] {
  const steps = objectsOf(value, 'do');
  for (const step of steps) {
    const action = actionOf(step);
    if (action === undefined) unknown('step', step);
    rejectOthers(step, [action, ...(companions[action] ?? [])], 'step');
    if (action === 'repeat') parseSteps(step['do']);
    if (step['wire'] !== undefined)
      rejectOthers(objectOf(step['wire'], 'wire'), wireOptions, 'wire');
    if (action === 'spawnChild') {
      rejectOthers(objectOf(step['spawnChild'], 'spawnChild'), ['sleepMs'], 'spawnChild');
    }
  }
  return steps;
}

function parseCondition(value: JsonValue): Condition {
  const condition = objectOf(value, 'if');
  rejectOthers(condition, ['param', 'equals', 'present'], 'if');
  const { param, equals, present } = condition;
  if (typeof param !== 'string') unknown('condition', condition);
  return {
    param,
    ...(equals !== undefined && { equals }),
    ...(typeof present === 'boolean' && { present }),
  };
}

function numbersOf(value: JsonValue): number[] {
  const list = Array.isArray(value) ? value : [value];
  if (!list.every((item) => typeof item === 'number')) unknown('nth', value);
  return list;
}

function rejectOthers(value: JsonObject, known: readonly string[], what: string): void {
  const foreign = Object.keys(value).filter((name) => !known.includes(name));
  if (foreign.length > 0) unknown(`member of a ${what}`, foreign.join(', '));
}

function unknown(what: string, value: JsonValue | undefined): never {
  throw new FixtureError(
    `the script has an unknown ${what}: ${JSON.stringify(value)?.slice(0, 200)}`,
  );
}

/** Whether an event such as `request:tools/call` is meant by the `when` of a rule. */
export function isEvent(when: string, event: string): boolean {
  return when === event || (when.endsWith(':*') && event.startsWith(when.slice(0, -1)));
}

/** Whether the parameters of a message fulfil the condition. */
export function fulfils(params: JsonObject, { param, equals, present }: Condition): boolean {
  const value = Object.hasOwn(params, param) ? params[param] : valueAt(params, param.split('.'));
  if (present !== undefined && (value !== undefined) !== present) return false;
  return equals === undefined || JSON.stringify(value) === JSON.stringify(equals);
}

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}
