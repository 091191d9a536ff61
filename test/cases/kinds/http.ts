import type { JsonObject } from '../../../src/base/json.ts';
import { FakeHttpServer, type SeenRequest } from '../fake/httpServer.ts';
import { FixtureError, asText, expand, objectOf, textsOf, type Fixture } from '../fixture.ts';
import { assertKnown, runChecks, type Checks, type Report } from '../report.ts';
import { key, runSession, type SeenSession } from '../sessionRun.ts';
import { TestBridge } from '../testBridge.ts';
import { sessionChecks } from './sessionChecks.ts';

interface SeenHttp extends SeenSession {
  readonly requests: readonly SeenRequest[];
}

/** Connects the bridge to a scripted server over HTTP. */
export async function runHttp({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['routes', 'config', 'actions']);
  await using fake = await FakeHttpServer.create(input['routes']);
  const config = objectOf(fake.addressed(expand(input['config'] ?? {})), 'config');
  assertKnown(config, ['url', 'headers', 'type']);
  const entry: JsonObject = { url: `${fake.base}/mcp`, ...config };
  await using bridge = new TestBridge({ [key]: entry });
  const seen = await runSession(bridge, fake, input['actions'], expect);
  runChecks(expect, httpChecks, { ...seen, requests: fake.seen }, report);
}

/** What a case can say of a session over HTTP. */
export const httpChecks: Checks<SeenHttp> = {
  ...sessionChecks,
  ifFailed: (expected, seen, report) => {
    if (seen.state.kind !== 'error') return;
    runChecks(objectOf(expected, 'ifFailed'), httpChecks, seen, report);
  },
  sequenceContains: (expected, { requests }, report) => {
    const seen = messagesOf(requests).map(
      ({ method, session }) => `${method}(${asText(session ?? 'no mcp-session-id')})`,
    );
    let from = 0;
    for (const step of textsOf(expected, 'sequenceContains')) {
      const at = seen.indexOf(step, from);
      report.check(at >= 0, 'sequenceContains', `${step} after the others`, seen);
      if (at >= 0) from = at + 1;
    }
  },
  everyRpcAt: (expected, { requests }, report) => {
    const messages = messagesOf(requests);
    const arrived = new Set(
      messages.filter(({ path }) => path === expected).map(({ body }) => body),
    );
    const lost = messages.filter(({ body }) => !arrived.has(body));
    report.check(messages.length > 0 && lost.length === 0, 'everyRpcAt', expected, lost);
  },
  requestHad: (expected, { requests }, report) => {
    // A request that was only sent on elsewhere says nothing about the one that counts.
    const taken = messagesOf(requests).filter(({ status }) => status < 300 || status >= 400);
    for (const text of textsOf(expected, 'requestHad')) {
      const [, name, value] = /^header:([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
      if (name === undefined) throw new FixtureError(`unknown "requestHad": ${text}`);
      const had = taken.map(({ headers }) => asText(headers[name.toLowerCase()] ?? ''));
      const has = had.some((header) => (value === undefined ? header !== '' : header === value));
      report.check(has, 'requestHad', text, had);
    }
  },
  otherOriginNeverSaw: (expected, { requests }, report) => {
    const seen = requests
      .filter(({ at }) => at === 'other')
      .map(({ path, headers, text }) => ({ path, headers, text }));
    report.mentionsNot('otherOriginNeverSaw', expected, JSON.stringify(seen));
  },
  notificationsSeen: (expected, { requests }, report) => {
    const seen = messagesOf(requests).map(({ method }) => method);
    for (const method of textsOf(expected, 'notificationsSeen')) {
      report.check(seen.includes(method), 'notificationsSeen', method, seen);
    }
  },
};

/** The JSON-RPC messages the server got. */
function messagesOf(requests: readonly SeenRequest[]) {
  return requests
    .filter(({ at, message }) => at === 'server' && typeof message?.['method'] === 'string')
    .map(({ path, headers, text, message, status = 0 }) => ({
      method: asText(message?.['method']),
      session: headers['mcp-session-id'],
      path,
      headers,
      status,
      body: text,
    }));
}
