import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { FixtureError, booleanOf, objectOf, objectsOf, textsOf } from './fixture.ts';
import { assertKnown, runChecks, type Checks, type Report } from './report.ts';
import { isFailed, type SeenCall } from './toolCalls.ts';

export interface JudgedCall extends SeenCall {
  /** All text the model gets. */
  readonly text: string;
}

/** What a case can say of one call. */
export const callChecks: Checks<JudgedCall> = {
  throws: (expected, { outcome, text }, report) =>
    report.check(
      (outcome.kind === 'failure') === booleanOf(expected, 'throws'),
      'throws',
      expected,
      text,
    ),
  isError: (expected, { outcome, text }, report) =>
    report.check(isFailed(outcome) === booleanOf(expected, 'isError'), 'isError', expected, text),
  textContains: (expected, { text }, report) => {
    for (const part of textsOf(expected, 'textContains')) {
      report.check(text.includes(part), 'textContains', part, text);
    }
  },
  textNotContains: (expected, { text }, report) => {
    for (const part of textsOf(expected, 'textNotContains')) {
      report.check(!text.includes(part), 'textNotContains', `no ${part}`, text);
    }
  },
  textEquals: (expected, { text }, report) => report.equal('textEquals', expected, text),
  occurrences: (expected, { text }, report) => {
    for (const occurrence of objectsOf(expected, 'occurrences')) {
      checkOccurrences(occurrence, text, report);
    }
  },
  orderOf: (expected, { text }, report) => {
    let from = 0;
    for (const part of textsOf(expected, 'orderOf')) {
      const at = text.indexOf(part, from);
      report.check(at >= 0, 'orderOf', `${part} after the others`, text);
      if (at >= 0) from = at + part.length;
    }
  },
  dataParts: (expected, { outcome }, report) => {
    const parts = outcome.kind === 'failure' ? [] : outcome.parts;
    const seen = parts.flatMap((part) => (part.kind === 'image' ? [part.mimeType] : []));
    report.equal('dataParts', mediaTypes(expected), seen);
  },
  maxTextChars: (expected, { text }, report) =>
    report.atMost('maxTextChars', expected, text.length),
  saysTruncated: (expected, { text }, report) => {
    const says = /left out|leaves out|truncat|shortened|omitted|\bcut\b|not shown/i.test(text);
    report.check(says === booleanOf(expected, 'saysTruncated'), 'saysTruncated', expected, text);
  },
  maxMillis: (expected, { milliseconds }, report) =>
    report.atMost('maxMillis', expected, Math.round(milliseconds)),
  wellFormedUnicode: (expected, { text }, report) =>
    report.isTrue('wellFormedUnicode', expected, text.isWellFormed()),
  textNonEmpty: (expected, { text }, report) =>
    report.isTrue('textNonEmpty', expected, text.trim() !== ''),
  warn: (expected, { warnings }, report) =>
    report.check(warnings.length > 0 === booleanOf(expected, 'warn'), 'warn', expected, warnings),
};

function checkOccurrences(occurrence: JsonObject, text: string, report: Report): void {
  const { text: part, ...limits } = occurrence;
  if (typeof part !== 'string' || part === '') {
    throw new FixtureError('each of "occurrences" needs a "text".');
  }
  const count = text.split(part).length - 1;
  runChecks(limits, occurrenceChecks, { part, count }, report);
}

const occurrenceChecks: Checks<{ readonly part: string; readonly count: number }> = {
  max: (expected, { part, count }, report) => report.atMost(`${part} max`, expected, count),
  min: (expected, { part, count }, report) => report.atLeast(`${part} min`, expected, count),
  count: (expected, { part, count }, report) => report.equal(`${part} count`, expected, count),
};

/** Media types, each as a text or as `{ "mime": … }`. */
function mediaTypes(expected: JsonValue): JsonValue[] {
  if (!Array.isArray(expected)) throw new FixtureError('"dataParts" must be a list.');
  return expected.map((part) => {
    if (typeof part === 'string') return part;
    const { mime, ...others } = objectOf(part, 'dataParts');
    assertKnown(others, []);
    return mime ?? null;
  });
}
