import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../src/base/json.ts';
import { FixtureError, booleanOf, numberOf, textsOf } from './fixture.ts';

/** Longest text of an expected or seen value in a message. */
const maxShown = 300;

/** Collects what a case shows to be different from what it expects. */
export class Report {
  readonly failures: string[] = [];

  fail(what: string, expected: unknown, seen: unknown): void {
    this.failures.push(`${what}: expected ${shown(expected)}, seen ${shown(seen)}`);
  }

  check(holds: boolean, what: string, expected: unknown, seen: unknown): void {
    if (!holds) this.fail(what, expected, seen);
  }

  equal(what: string, expected: JsonValue, seen: unknown): void {
    this.check(isMatch(expected, seen), what, expected, seen);
  }

  /** Every text stands in `seen`, upper and lower case alike. */
  mentions(what: string, expected: JsonValue, seen: string): void {
    const text = seen.toLowerCase();
    for (const word of textsOf(expected, what)) {
      this.check(text.includes(word.toLowerCase()), what, word, seen);
    }
  }

  /** None of the texts stands in `seen`. */
  mentionsNot(what: string, expected: JsonValue, seen: string): void {
    const text = seen.toLowerCase();
    for (const word of textsOf(expected, what)) {
      this.check(!text.includes(word.toLowerCase()), what, `no ${JSON.stringify(word)}`, seen);
    }
  }

  atMost(what: string, expected: JsonValue, seen: number | undefined): void {
    const limit = numberOf(expected, what);
    this.check(seen !== undefined && seen <= limit, what, `at most ${limit}`, seen);
  }

  atLeast(what: string, expected: JsonValue, seen: number): void {
    const limit = numberOf(expected, what);
    this.check(seen >= limit, what, `at least ${limit}`, seen);
  }

  isTrue(what: string, expected: JsonValue, seen: boolean): void {
    this.check(booleanOf(expected, what) === seen, what, expected, seen);
  }
}

/** Judges one member of `expect` by what was seen. */
export type Check<Seen> = (expected: JsonValue, seen: Seen, report: Report) => void;
export type Checks<Seen> = Readonly<Record<string, Check<Seen>>>;

/** Runs the check of each member of `expect`. A member that no check knows is a failure. */
export function runChecks<Seen>(
  expect: JsonObject,
  checks: Checks<Seen>,
  seen: Seen,
  report: Report,
): void {
  for (const [name, expected] of Object.entries(expect)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      report.fail(name, 'a member of "expect" that this runner knows', expected);
    else check(expected, seen, report);
  }
}

/** What a case does must be understood as a whole: an input that is passed over would prove nothing. */
export function assertKnown(input: JsonObject, known: readonly string[]): void {
  const foreign = Object.keys(input).filter((name) => !known.includes(name));
  if (foreign.length > 0) {
    throw new FixtureError(
      `this runner does not know these members of "input": ${foreign.join(', ')}.`,
    );
  }
}

/** Deep equality, where `{"$absent": true}` stands for nothing and `{"$not": v}` for anything but v. */
export function isMatch(expected: JsonValue, seen: unknown): boolean {
  if (isJsonObject(expected)) {
    if (expected['$absent'] === true) return seen === undefined;
    if (Object.hasOwn(expected, '$not')) return !isMatch(expected['$not'] ?? null, seen);
    if (!isJsonObject(seen)) return false;
    const names = new Set([...Object.keys(expected), ...Object.keys(seen)]);
    return [...names].every((name) =>
      Object.hasOwn(expected, name)
        ? isMatch(expected[name] ?? null, Object.hasOwn(seen, name) ? seen[name] : undefined)
        : false,
    );
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(seen) &&
      seen.length === expected.length &&
      expected.every((item, index) => isMatch(item, seen[index]))
    );
  }
  return expected === seen;
}

/** Whether two lists hold the same values, in any order. */
export function isSameSet(left: readonly unknown[], right: readonly unknown[]): boolean {
  const sorted = (list: readonly unknown[]): string =>
    JSON.stringify(list.map(canonicalJson).toSorted());
  return sorted(left) === sorted(right);
}

/** A value in a message, bounded. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text
    .slice(0, 4 * maxShown)
    .replace(/\s+/g, ' ')
    .toWellFormed();
  if (text.length <= maxShown) return line;
  return `${line.slice(0, maxShown - 20).toWellFormed()}… (${text.length} characters)`;
}
