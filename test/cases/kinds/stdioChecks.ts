import { existsSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { FakeServer } from '../fakeServer.ts';
import { FixtureError, asText, objectOf, textsOf } from '../fixture.ts';
import { isMatch, runChecks, type Checks } from '../report.ts';
import { own } from '../schemaWalk.ts';
import type { SeenSession } from '../sessionRun.ts';
import { sessionChecks } from './sessionChecks.ts';

interface SeenStdio extends SeenSession {
  /** When another server of the same settings was ready. */
  readonly otherReadyMs: number | undefined;
  readonly peer: FakeServer;
}

/** Checks of what the server saw. */
const serverChecks: Checks<SeenStdio> = {
  otherServersReadyWithinMs: (expected, { otherReadyMs }, report) =>
    report.atMost('otherServersReadyWithinMs', expected, otherReadyMs),

  maxSpawns: (expected, { peer: fake }, report) =>
    report.atMost('maxSpawns', expected, fake.events('spawn').length),
  fileExists: (expected, { peer: fake }, report) => {
    for (const path of textsOf(expected, 'fileExists')) {
      const file = path.replaceAll('{{TMP}}', fake.folder);
      report.check(existsSync(file), 'fileExists', path, 'no such file');
    }
  },
  signalsReceived: (expected, { peer: fake }, report) =>
    report.equal(
      'signalsReceived',
      expected,
      fake.events('signal').map(({ signal }) => signal),
    ),
  requestHad: (expected, { peer: fake }, report) => {
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
  notificationsSeen: (expected, { peer: fake }, report) => {
    const seen = fake.events('notification').map(({ method }) => method);
    for (const method of textsOf(expected, 'notificationsSeen')) {
      report.check(seen.includes(method), 'notificationsSeen', method, seen);
    }
  },
  answers: (expected, { peer: fake }, report) => {
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
  answersWithinMs: (expected, { peer: fake }, report) => {
    for (const { id, at } of fake.events('ask')) {
      const answer = fake.events('response').find((response) => response.id === id);
      report.atMost(`answer to ${asText(id)} within`, expected, answer && answer.at - at);
    }
  },
  consistentWithAnnouncedCapabilities: (expected, { peer: fake }, report) => {
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

export const stdioChecks: Checks<SeenStdio> = {
  ...sessionChecks,
  ...serverChecks,
  ifFailed: (expected, seen, report) => {
    if (seen.state.kind === 'error')
      runChecks(objectOf(expected, 'ifFailed'), stdioChecks, seen, report);
  },
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
