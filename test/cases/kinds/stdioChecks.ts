import { existsSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { ConnectionState } from '../../../src/core/servers/connectionState.ts';
import { callChecks, type JudgedCall } from '../callChecks.ts';
import type { FakeServer } from '../fakeServer.ts';
import { asText, FixtureError, objectOf, objectsOf, textsOf } from '../fixture.ts';
import { isMatch, isSameSet, runChecks, type Checks } from '../report.ts';
import { own } from '../schemaWalk.ts';
import { isFailed } from '../toolCalls.ts';
import { checkConnected } from './toolsList.ts';

/** What a session of a scripted server showed. Times in milliseconds. */
export interface SeenSession {
  readonly state: ConnectionState;
  /** From the start until the server ran or was in error. */
  readonly connectMs: number;
  readonly tools: readonly string[];
  readonly calls: readonly JudgedCall[];
  readonly warnings: readonly string[];
  /** What is logged at the level people see: info and above. */
  readonly log: readonly string[];
  readonly registrationChanges: number;
  readonly stopMs: number | undefined;
  readonly survivors: number;
  readonly otherReadyMs: number | undefined;
  readonly fake: FakeServer;
}

/** Most tools and requests for the list that still count as bounded. */
const manyTools = 5000;
const manyRequests = 200;

const errorOf = ({ state }: SeenSession): string => (state.kind === 'error' ? state.message : '');

const sessionChecks: Checks<SeenSession> = {
  connected: (expected, { state }, report) => checkConnected(expected, state, report),
  tools: (expected, { tools }, report) => {
    if (expected === 'either') return;
    const wanted = textsOf(expected, 'tools');
    report.check(isSameSet(wanted, tools), 'tools', wanted, tools);
  },
  calls: (expected, { calls }, report) => {
    for (const [at, call] of objectsOf(expected, 'calls').entries()) {
      const { tool: _tool, arguments: _arguments, ...judged } = call;
      const seen = calls[at];
      if (seen === undefined) report.fail(`call ${at + 1}`, 'a call', 'none was made');
      else runChecks(judged, sessionCallChecks, seen, report);
    }
  },
  connectWithinMs: (expected, { connectMs }, report) =>
    report.atMost('connectWithinMs', expected, Math.round(connectMs)),
  failsWithinMs: (expected, { state, connectMs }, report) =>
    report.atMost(
      'failsWithinMs',
      expected,
      state.kind === 'error' ? Math.round(connectMs) : undefined,
    ),
  finishesWithinMs: (expected, { connectMs }, report) =>
    report.atMost('finishesWithinMs', expected, Math.round(connectMs)),
  errorMentions: (expected, seen, report) =>
    report.mentions('errorMentions', expected, errorOf(seen)),
  errorNotMentions: (expected, seen, report) =>
    report.mentionsNot('errorNotMentions', expected, errorOf(seen)),
  maxErrorChars: (expected, seen, report) =>
    report.atMost('maxErrorChars', expected, errorOf(seen).length),
  logMentions: (expected, { log }, report) =>
    report.mentions('logMentions', expected, log.join('\n')),
  maxLogLines: (expected, { log }, report) => report.atMost('maxLogLines', expected, log.length),
  // Nothing below `src/editor` can reach the person; an architecture test keeps it so.
  userNotifications: (expected, _seen, report) => report.equal('userNotifications', expected, 0),
  stopWithinMs: (expected, { stopMs }, report) =>
    report.atMost('stopWithinMs', expected, stopMs === undefined ? undefined : Math.round(stopMs)),
  survivingProcesses: (expected, { survivors }, report) =>
    report.equal('survivingProcesses', expected, survivors),
  registrationChanges: (expected, { registrationChanges }, report) =>
    report.equal('registrationChanges', expected, registrationChanges),
  warnCountMin: (expected, { warnings }, report) =>
    report.atLeast('warnCountMin', expected, warnings.length),
  warnCountMax: (expected, { warnings }, report) =>
    report.check(warnings.length <= Number(expected), 'warnCountMax', expected, warnings),
  warnMentions: (expected, { warnings }, report) =>
    report.mentions('warnMentions', expected, warnings.join('\n')),
  otherServersReadyWithinMs: (expected, { otherReadyMs }, report) =>
    report.atMost('otherServersReadyWithinMs', expected, otherReadyMs),
  // The time was waited for before anything was judged.
  observeMs: () => undefined,
  bounded: (expected, { tools, fake }, report) => {
    const requests = fake.requests('tools/list').length;
    const isBounded = tools.length <= manyTools && requests <= manyRequests;
    report.check(isBounded === expected, 'bounded', expected, { tools: tools.length, requests });
  },
};

/** Checks of what the server saw. */
const serverChecks: Checks<SeenSession> = {
  maxSpawns: (expected, { fake }, report) =>
    report.atMost('maxSpawns', expected, fake.events('spawn').length),
  fileExists: (expected, { fake }, report) => {
    for (const path of textsOf(expected, 'fileExists')) {
      const file = path.replaceAll('{{TMP}}', fake.folder);
      report.check(existsSync(file), 'fileExists', path, 'no such file');
    }
  },
  signalsReceived: (expected, { fake }, report) =>
    report.equal(
      'signalsReceived',
      expected,
      fake.events('signal').map(({ signal }) => signal),
    ),
  maxRequests: (expected, { fake }, report) => {
    for (const [method, limit] of Object.entries(objectOf(expected, 'maxRequests'))) {
      report.atMost(`maxRequests ${method}`, limit, fake.requests(method).length);
    }
  },
  requestHad: (expected, { fake }, report) => {
    const requests = fake.events('request');
    for (const text of textsOf(expected, 'requestHad')) {
      const has = requests.some(({ method, params }) => hasMember(text, method, params));
      report.check(
        has,
        'requestHad',
        text,
        requests.map(({ params }) => params),
      );
    }
  },
  notificationsSeen: (expected, { fake }, report) => {
    const seen = fake.events('notification').map(({ method }) => method);
    for (const method of textsOf(expected, 'notificationsSeen')) {
      report.check(seen.includes(method), 'notificationsSeen', method, seen);
    }
  },
  answers: (expected, { fake }, report) => {
    for (const [id, answer] of Object.entries(objectOf(expected, 'answers'))) {
      const given = fake.events('response').find((response) => asText(response.id) === id);
      const { result, error } = given ?? {};
      const shape = {
        ...(result !== undefined && { result }),
        ...(error && { errorCode: error['code'] }),
      };
      const named = Object.fromEntries(
        Object.keys(objectOf(answer, id)).map((name) => [name, own(shape as JsonObject, name)]),
      );
      report.check(isMatch(answer, named), `answer to ${id}`, answer, shape);
    }
  },
  answersWithinMs: (expected, { fake }, report) => {
    for (const { id, at } of fake.events('ask')) {
      const answer = fake.events('response').find((response) => response.id === id);
      report.atMost(`answer to ${asText(id)} within`, expected, answer && answer.at - at);
    }
  },
  consistentWithAnnouncedCapabilities: (expected, { fake }, report) => {
    const announced = fake.requests('initialize').at(-1)?.params['capabilities'];
    const wrong = fake.events('ask').filter(({ id, method }) => {
      const [family = ''] = asText(method).split('/');
      const isAnnounced = own(announced, family) !== undefined;
      const answer = fake.events('response').find((response) => response.id === id);
      const isRefused = answer?.error?.['code'] === -32_601;
      return ['roots', 'sampling', 'elicitation'].includes(family) && isAnnounced === isRefused;
    });
    report.check(
      (wrong.length === 0) === expected,
      'consistentWithAnnouncedCapabilities',
      announced,
      wrong,
    );
  },
};

export const stdioChecks: Checks<SeenSession> = {
  ...sessionChecks,
  ...serverChecks,
  ifFailed: (expected, seen, report) => {
    if (seen.state.kind === 'error')
      runChecks(objectOf(expected, 'ifFailed'), stdioChecks, seen, report);
  },
};

/** What a case can say of a call, beside what it can say of a result. */
const sessionCallChecks: Checks<JudgedCall> = {
  ...callChecks,
  noReplacementChar: (expected, { text }, report) =>
    report.isTrue('noReplacementChar', expected, !text.includes('\uFFFD')),
  failsWithinMs: (expected, { outcome, milliseconds }, report) =>
    report.atMost(
      'failsWithinMs',
      expected,
      isFailed(outcome) ? Math.round(milliseconds) : undefined,
    ),
  errorMentions: (expected, { outcome, text }, report) =>
    report.mentions('errorMentions', expected, isFailed(outcome) ? text : ''),
};

/** `[method:]path.of.members[=value]`, in the parameters of a request. */
function hasMember(text: string, method: string, params: JsonObject): boolean {
  const [, wanted, path = '', value] = /^(?:([^:=]+):)?([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (wanted === 'header') throw new FixtureError('"requestHad" with headers needs HTTP.');
  if (wanted !== undefined && wanted !== method) return false;
  const found = path
    .split('.')
    .reduce<JsonValue | undefined>((node, name) => own(node, name), params);
  if (value === undefined) return found !== undefined;
  return asText(found) === value;
}
