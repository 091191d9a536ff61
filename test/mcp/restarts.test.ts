import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { startScripted, type ScriptedServer } from '../servers/scriptedHttp.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

test('a server that dies in a call is started again by itself, and the next call waits for it', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchOf('crashMidCall', mark))]);
  await all.ready('s');
  const before = all.pid('s');
  const first = await all.call('s', 'crash');
  assert.ok(first.kind === 'failure' && first.code === 'connectionLost');
  assert.match(first.message, /exit code 7; its last words: segmentation fault/);
  const state = all.server('s')?.state;
  assert.ok(state?.kind === 'error' && state.retryAt !== undefined);
  // This call reaches the new process, which dies of it too.
  const second = await all.call('s', 'crash');
  assert.ok(second.kind === 'failure' && second.code === 'connectionLost');
  assert.notEqual(all.pid('s') ?? before, -1);
});

test('a server that was stopped while it waits for its restart stays stopped', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchOf('crashOnStart', mark))]);
  await eventually('the first failure', () => all.kind('s') === 'error');
  await all.host.stop('user/s');
  await new Promise((resolve) => {
    setTimeout(resolve, 2000);
  });
  assert.equal(all.kind('s'), 'stopped');
  assert.deepEqual(mark.running(), []);
});

test('a server that is to be started by use is not started again by itself', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchOf('crashMidCall', mark), { start: 'onUse' })]);
  await all.call('s', 'crash');
  const state = all.server('s')?.state;
  assert.ok(state?.kind === 'error' && state.retryAt === undefined);
});

test('T55 a remote session that the server forgot is opened anew, and the call is made once', async () => {
  await using server = await startStreamableHttp();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', { type: 'http', url: server.url, headers: {} })]);
  await all.ready('s');
  server.forget();
  assert.deepEqual(await all.call('s', 'echo', { text: 'again' }), {
    kind: 'result',
    isError: false,
    parts: [{ kind: 'text', text: 'again' }],
    warnings: [],
  });
  assert.equal(server.openSessions, 1);
});

test('a server that forgets every session is not asked without end', async () => {
  await using server = await startScripted({
    initialize: ({ response, message }) => {
      response.setHeader('mcp-session-id', 'x');
      const { protocolVersion } = message['params'] as { protocolVersion: string };
      const serverInfo = { name: 'forgets', version: '1' };
      return { protocolVersion, capabilities: { tools: {} }, serverInfo };
    },
    'tools/call': ({ response }) => {
      response.writeHead(404).end();
      return undefined;
    },
  });
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', { type: 'http', url: server.url, headers: {} })]);
  await all.ready('s');
  const outcome = await all.call('s', 'echo');
  assert.ok(outcome.kind === 'failure' && outcome.code === 'sessionLost');
  assert.equal(server.methods.filter((method) => method === 'tools/call').length, 2);
});

/** A server with sessions that turns away so many `resources/read`, in the given way, before it answers. */
function forgetful(times: number, status: number, words: string): Promise<ScriptedServer> {
  let left = times;
  return startScripted({
    initialize: ({ response, message }) => {
      response.setHeader('mcp-session-id', 'x');
      const { protocolVersion } = message['params'] as { protocolVersion: string };
      const serverInfo = { name: 'forgets', version: '1' };
      return { protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo };
    },
    'resources/list': () => ({ resources: [] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ response }) => {
      if (left-- <= 0) return { contents: [] };
      response.writeHead(status).end(words);
      return undefined;
    },
  });
}

const forgets = [
  { times: 1, status: 404, words: '', answer: 'answer' },
  { times: 1, status: 400, words: 'Invalid session ID', answer: 'answer' },
  { times: 9, status: 404, words: '', answer: 'sessionLost' },
] as const;

for (const { times, status, words, answer } of forgets) {
  test(`a resource is read at most twice when the server forgets the session (HTTP ${status}, ${times} times)`, async () => {
    await using server = await forgetful(times, status, words);
    await using all = new TestSupervisor();
    all.host.update([wantedOf('s', { type: 'http', url: server.url, headers: {} })]);
    await all.ready('s');
    const { signal } = new AbortController();
    const read = await all.host.readResource({ serverId: 'user/s', uri: 'a://b', signal });
    assert.equal(read.kind === 'failure' ? read.code : read.kind, answer);
    const count = (method: string) => server.methods.filter((name) => name === method).length;
    assert.deepEqual([count('resources/read'), count('initialize')], [2, 2]);
  });
}
