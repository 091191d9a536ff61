import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject } from '../../src/base/json.ts';
import type { BridgeError } from '../../src/core/failures.ts';
import type { Session } from '../../src/mcp/session.ts';
import { startModernHttp } from '../servers/modernHttp.ts';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { call, open, toolNames, type CallTestOptions } from '../support/sessions.ts';
import { TestClientFeatures } from '../support/clientFeatures.ts';

/** The code and message a call fails with. */
async function callFailure(session: Session, tool: string, args = {}, options?: CallTestOptions) {
  try {
    await call(session, tool, args, options);
  } catch (error: unknown) {
    const { code, message } = error as BridgeError;
    return { code, message };
  }
  return assert.fail('The call was answered.');
}

/** What the server `slow` says of itself: which calls were cancelled, and which one it got last. */
async function slowState(session: Session): Promise<JsonObject> {
  const result = await call(session, 'cancelled');
  const state = isJsonObject(result) ? result['structuredContent'] : undefined;
  assert.ok(isJsonObject(state));
  return state;
}

/** Waits until the server was told that its last call is cancelled, and no other. */
async function assertCancelled(session: Session): Promise<void> {
  const { cancelled, open: last } = await eventually('the server is told', async () => {
    const state = await slowState(session);
    return Array.isArray(state['cancelled']) && state['cancelled'].length > 0 && state;
  });
  assert.ok(Array.isArray(cancelled));
  assert.deepEqual(
    cancelled.map((params) => isJsonObject(params) && params['requestId']),
    [last],
  );
}

test('a session knows what the server said of itself', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('echo', mark));
  const { transport, serverInfo, protocolVersion } = session;
  assert.deepEqual(
    [transport.kind, serverInfo, /^\d{4}-\d\d-\d\d$/.test(protocolVersion)],
    ['stdio', { name: 'test server', version: '1.2.3' }, true],
  );
  assert.deepEqual(mark.running(), [transport.pid]);
});

test('a result is given as it is, also one that is an error', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('echo', mark));
  assert.deepEqual(
    [await call(session, 'echo', { a: [1] }), await call(session, 'fail')],
    [
      { content: [{ type: 'text', text: '{"a":[1]}' }] },
      { content: [{ type: 'text', text: 'the disk is full' }], isError: true },
    ],
  );
});

test('a question in place of a result is answered by the person, in 2026-07-28 too', async () => {
  await using server = await startModernHttp();
  const launch = { type: 'http', url: server.url, headers: {} } as const;
  const features = new TestClientFeatures();
  await using session = await open(launch, { features });
  assert.equal(session.protocolVersion, '2026-07-28');
  const said = async (): Promise<unknown> => {
    const { content } = (await call(session, 'echo', { text: '' })) as { content: unknown };
    return content;
  };
  assert.deepEqual(await said(), [{ type: 'text', text: 'nothing to say' }]);
  features.elicitation = async () => ({ action: 'accept', content: { text: 'this' } });
  assert.deepEqual(await said(), [{ type: 'text', text: 'this' }]);
  assert.equal(features.asked.length, 2);
});

test('an error of the protocol keeps the words of the server', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('echo', mark));
  assert.deepEqual(await callFailure(session, 'refuse'), {
    code: 'invalidArguments',
    message:
      'The MCP server "srv" did not accept the arguments of "refuse": limit must be <= 100. Correct the arguments and call it again.',
  });
});

test('a cancelled call rejects with the reason and reaches the server as a cancellation', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('slow', mark));
  const controller = new AbortController();
  const calling = call(session, 'silent', {}, { signal: controller.signal });
  const rejects = assert.rejects(calling, { name: 'AbortError' });
  await eventually(
    'the call arrives',
    async () => (await slowState(session))['open'] !== undefined,
  );
  controller.abort();
  await rejects;
  await assertCancelled(session);
});

test('a call without an answer ends in time and is cancelled at the server', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('slow', mark));
  assert.deepEqual(await callFailure(session, 'silent', {}, { timeouts: { call: 0.3 } }), {
    code: 'timedOut',
    message:
      'The tool "silent" of the MCP server "srv" gave no answer within 0.3 s and was cancelled. It may have taken effect all the same: check before calling it again. The limit is the setting "timeouts.call" of this server.',
  });
  await assertCancelled(session);
});

test('progress starts the time for an answer anew', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('slow', mark));
  assert.deepEqual(
    await call(session, 'progress', { steps: 6, interval: 250 }, { timeouts: { call: 1 } }),
    { content: [{ type: 'text', text: 'took 6 steps' }] },
  );
});

test('a call ends at the total limit in spite of progress, and is cancelled at the server', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('slow', mark));
  const failure = await callFailure(
    session,
    'progress',
    { steps: 500, interval: 50 },
    { timeouts: { call: 10, total: 0.5 } },
  );
  assert.equal(failure.code, 'timedOut');
  assert.match(failure.message, /within 0\.5 s .* the setting "timeouts\.total"/);
  await assertCancelled(session);
});

test('T55 a crash in the middle of a call says that its outcome is unknown', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('crashMidCall', mark));
  let closed = 0;
  session.onDidClose(() => {
    closed += 1;
  });
  assert.deepEqual(await callFailure(session, 'crash'), {
    code: 'connectionLost',
    message:
      'The connection to the MCP server "srv" was lost while the tool "crash" ran (its process ended with exit code 7; its last words: segmentation fault, more or less). Whether the call took effect is unknown and it was not repeated: check before calling it again.',
  });
  assert.equal(closed, 1);
});

test('a call after the end of the process fails at once', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('crashMidCall', mark));
  await callFailure(session, 'crash');
  const { code } = await callFailure(session, 'crash');
  assert.ok(code === 'connectionLost' || code === 'protocol');
});

test('closing tells nobody and leaves nothing behind', async () => {
  const mark = new ProcessMark();
  const session = await open(launchOf('echo', mark));
  session.onDidClose(() => assert.fail('told'));
  await Promise.all([session.close(), session.close()]);
  await mark.assertGone();
});

test('T45 all pages of tools are read, and bad tools cost only themselves', async () => {
  const mark = new ProcessMark();
  await using pages = await open(launchOf('paginates', mark));
  await using bad = await open(launchOf('badTools', mark));
  assert.deepEqual(
    [await toolNames(pages), await toolNames(bad)],
    [
      ['one', 'two', 'three', 'four', 'five'],
      ['first', 'noSchema', 'oddTexts', 'oddHints', 'last'],
    ],
  );
});

test('a server that does not know the method has no tools', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('noTools', mark));
  assert.deepEqual(await toolNames(session), []);
});

test('every change of the tool list is told', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('listChanged', mark));
  let told = 0;
  session.changes.onDidChangeList((list) => {
    if (list === 'tools') told += 1;
  });
  await call(session, 'grow', { times: 20 });
  await eventually('all changes', () => told === 20);
  assert.equal((await toolNames(session)).length, 21);
});

test('a remote session that is gone is told as such, so that it can be opened anew', async () => {
  await using server = await startStreamableHttp();
  await using session = await open({ type: 'http', url: server.url, headers: {} });
  server.forget();
  const { code, message } = await callFailure(session, 'echo', { text: 'x' });
  assert.equal(code, 'sessionLost');
  assert.match(message, /The call was not made/);
});
