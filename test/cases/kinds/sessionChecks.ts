import { callChecks, type JudgedCall } from '../callChecks.ts';
import { objectOf, objectsOf, textsOf } from '../fixture.ts';
import { isSameSet, runChecks, type Checks } from '../report.ts';
import type { SeenSession } from '../sessionRun.ts';
import { isFailed } from '../toolCalls.ts';
import { checkConnected } from './toolsList.ts';

/** Most tools and requests for the list that still count as bounded. */
const manyTools = 5000;
const manyRequests = 200;

const errorOf = ({ state }: SeenSession): string => (state.kind === 'error' ? state.message : '');

/** What a case can say of a session, whatever its transport. */
export const sessionChecks: Checks<SeenSession> = {
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
  // The time was waited for before anything was judged.
  observeMs: () => undefined,
  maxRequests: (expected, { countRequests }, report) => {
    for (const [method, limit] of Object.entries(objectOf(expected, 'maxRequests'))) {
      report.atMost(`maxRequests ${method}`, limit, countRequests(method));
    }
  },
  bounded: (expected, { tools, countRequests }, report) => {
    const requests = countRequests('tools/list');
    const isBounded = tools.length <= manyTools && requests <= manyRequests;
    report.check(isBounded === expected, 'bounded', expected, { tools: tools.length, requests });
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
