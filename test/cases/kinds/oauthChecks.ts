import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { BrowserRequest } from '../../../src/core/servers/signIn.ts';
import type { SeenRequest } from '../fake/httpServer.ts';
import type { FakeIssuer, SeenAuthRequest } from '../fake/issuer.ts';
import { fill, type Placeholders } from '../fake/placeholders.ts';
import { FixtureError, asText, objectOf, textsOf } from '../fixture.ts';
import { isSameSet, isMatch, type Check, type Checks, type Report } from '../report.ts';
import { httpChecks } from './http.ts';
import type { SeenSession } from '../sessionRun.ts';

/** What a sign-in showed. */
export interface SeenSignIn extends SeenSession {
  readonly requests: readonly SeenRequest[];
  readonly issuer: FakeIssuer;
  readonly opened: readonly BrowserRequest[];
  /** Pages opened before the person did anything. */
  readonly openedUnasked: number;
  readonly refreshToken: JsonValue;
  readonly milliseconds: number;
}

/** Milliseconds after which a run counts as hanging. */
const endless = 60_000;

/** What a case can say of a sign-in; addresses in it are filled in. */
export function oauthChecks(places: Placeholders): Checks<SeenSignIn> {
  const filled =
    (check: Check<SeenSignIn>): Check<SeenSignIn> =>
    (expected, seen, report) =>
      check(fill(expected, places), seen, report);
  return Object.fromEntries(
    Object.entries({ ...httpChecks, ...signInChecks }).map(([name, check]) => [
      name,
      filled(check),
    ]),
  );
}

const signInChecks: Checks<SeenSignIn> = {
  browserOpened: (expected, { opened }, report) =>
    report.isTrue('browserOpened', expected, opened.length > 0),
  browserOpenedWithoutUserAction: (expected, { openedUnasked }, report) => {
    const most = expected === 'at-most-once' ? 1 : expected === true ? Infinity : 0;
    report.check(openedUnasked <= most, 'browserOpenedWithoutUserAction', expected, openedUnasked);
  },
  authorizeQuery: (expected, { issuer }, report) => {
    const request = issuer.seen.findLast(({ path }) => path === '/authorize');
    checkMembers('authorizeQuery', objectOf(expected, 'authorizeQuery'), request?.query, report);
  },
  tokenBody: (expected, { issuer }, report) => {
    const request = issuer.seen.findLast(({ path }) => path === '/token');
    checkMembers('tokenBody', objectOf(expected, 'tokenBody'), request?.body, report);
  },
  noRequestTo: (expected, { issuer, requests }, report) => {
    const paths = [...issuer.seen, ...requests].map(({ path }) => path);
    for (const beginning of textsOf(expected, 'noRequestTo')) {
      const hits = paths.filter((path) => path.startsWith(beginning));
      report.check(hits.length === 0, 'noRequestTo', beginning, hits);
    }
  },
  requestOrder: (expected, { requests }, report) =>
    checkOrder('requestOrder', expected, requests, report),
  issuerRequestOrder: (expected, { issuer }, report) =>
    checkOrder('issuerRequestOrder', expected, issuer.seen, report),
  promptOrErrorMentions: (expected, { state, opened }, report) => {
    const error = state.kind === 'error' ? state.message : '';
    report.mentions('promptOrErrorMentions', expected, `${error} ${JSON.stringify(opened)}`);
  },
  state: (expected, { state }, report) => {
    if (expected !== 'sign-in-needed')
      throw new FixtureError(`unknown "state": ${asText(expected)}`);
    const isNeeded = state.kind === 'error' && state.remedy === 'signIn';
    report.check(isNeeded, 'state', expected, state);
  },
  storedRefreshTokenAfter: (expected, { refreshToken }, report) =>
    report.equal('storedRefreshTokenAfter', expected, refreshToken),
  redirectUriRegistered: (expected, { issuer }, report) => {
    const asked = issuer.seen.filter(({ path }) => path === '/authorize');
    const last = asked.at(-1);
    report.isTrue(
      'redirectUriRegistered',
      expected,
      last !== undefined && issuer.isRegistered(last.query),
    );
  },
  hangs: (expected, { milliseconds }, report) =>
    report.isTrue('hangs', expected, milliseconds >= endless),
};

/** Only the named members are compared; `scopeSet` stands for `scope`, in any order. */
function checkMembers(
  what: string,
  expected: JsonObject,
  seen: JsonObject | undefined,
  report: Report,
): void {
  for (const [name, value] of Object.entries(expected)) {
    if (name === 'scopeSet') {
      const scopes = asText(seen?.['scope']).split(' ');
      report.check(isSameSet(textsOf(value, name), scopes), `${what} scope`, value, scopes);
    } else report.check(isMatch(value, seen?.[name]), `${what} ${name}`, value, seen?.[name]);
  }
}

/** The paths were first asked for in this order; others may stand between. */
function checkOrder(
  what: string,
  expected: JsonValue,
  requests: readonly Pick<SeenAuthRequest, 'path'>[],
  report: Report,
): void {
  const wanted = textsOf(expected, what);
  const firsts = [...new Set(requests.map(({ path }) => path.split('?')[0] ?? ''))];
  const seen = firsts.filter((path) => wanted.includes(path));
  report.check(isMatch(wanted, seen), what, wanted, firsts);
}
