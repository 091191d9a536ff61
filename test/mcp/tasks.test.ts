import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { isJsonObject, type JsonValue } from '../../src/base/json.ts';
import type { BridgeError } from '../../src/core/failures.ts';
import type { CallProgress } from '../../src/core/tools/toolCall.ts';
import type { Session } from '../../src/mcp/session.ts';
import { TestClientFeatures } from '../support/clientFeatures.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { call, open, toolNames, type CallTestOptions } from '../support/sessions.ts';

/** The server `tasks`, which runs its tools as tasks; its tools are known, as they are to a session in use. */
async function openTasks(kind: 'legacy' | 'modern' | 'none', features = new TestClientFeatures()) {
  const session = await open(launchOf('tasks', new ProcessMark(), kind), { features });
  await toolNames(session);
  return session;
}

async function failureOf(session: Session, tool: string, options?: CallTestOptions) {
  const error: unknown = await call(session, tool, {}, options).then(
    () => assert.fail('The call was answered.'),
    (reason: unknown) => reason,
  );
  return error as BridgeError;
}

/** What the server was asked besides states, as [method, detail]. */
async function logOf(session: Session): Promise<[string, JsonValue][]> {
  const answer = (await call(session, 'log')) as {
    structuredContent: { log: [string, JsonValue][]; plain: boolean };
  };
  assert.ok(answer.structuredContent.plain, 'a tool that may be a task is called plainly');
  return answer.structuredContent.log;
}

for (const kind of ['legacy', 'modern'] as const) {
  test(`${kind}: a task is followed to its result, and what it says is progress`, async () => {
    await using session = await openTasks(kind);
    const heard: CallProgress[] = [];
    const onProgress = (progress: CallProgress): void => void heard.push(progress);
    assert.deepEqual(await call(session, 'works', { a: 1 }, { onProgress }), {
      content: [{ type: 'text', text: 'done null' }],
      _meta: { 'test/kept': true },
    });
    assert.deepEqual(
      heard.flatMap(({ message }) => message ?? []),
      ['step 1', 'step 2'],
    );
    assert.ok(heard.some(({ progress, total }) => progress === 1 && total === 4));
    const [[method, params] = []] = await logOf(session);
    assert.equal(method, 'tools/call');
    const { task } = params as { task?: { ttl: number } };
    assert.deepEqual(task, kind === 'legacy' ? { ttl: 80_000 } : undefined);
  });

  test(`${kind}: a task that needs input asks the person`, async () => {
    const features = new TestClientFeatures();
    features.elicitation = async () => ({ action: 'accept', content: { text: 'this' } });
    await using session = await openTasks(kind, features);
    const { content } = (await call(session, 'asks')) as { content: { text: string }[] };
    assert.equal(content[0]?.text, 'done {"action":"accept","content":{"text":"this"}}');
    assert.equal(features.asked.length, 1);
  });

  test(`${kind}: failed and cancelled tasks are told as such`, async () => {
    await using session = await openTasks(kind);
    const failed = await failureOf(session, 'fails');
    assert.equal(failed.code, 'protocol');
    assert.match(failed.message, /the oven is cold/);
    const dropped = await failureOf(session, 'dropped');
    assert.equal(
      dropped.message,
      'The tool "dropped" of the MCP server "srv" was cancelled by the server (out of flour). It may have taken effect in part: check before calling it again.',
    );
  });

  test(`${kind}: cancelling the call cancels the task`, async () => {
    await using session = await openTasks(kind);
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    await assert.rejects(call(session, 'busy', {}, options), { name: 'AbortError' });
    await eventually('the server is told', async () =>
      (await logOf(session)).some(([method, id]) => method === 'tasks/cancel' && id === 't1'),
    );
  });

  test(`${kind}: silence ends a task, and the server is told`, async () => {
    await using session = await openTasks(kind);
    const stuck = await failureOf(session, 'stuck', { timeouts: { call: 0.6 } });
    assert.equal(stuck.code, 'timedOut');
    assert.match(stuck.message, /within 0\.6 s .*"timeouts\.call"/);
    await eventually('the server is told', async () =>
      (await logOf(session)).some(([method]) => method === 'tasks/cancel'),
    );
  });
}

test('states that change keep a task alive until the total limit', async () => {
  await using session = await openTasks('legacy');
  const busy = await failureOf(session, 'busy', { timeouts: { call: 0.8, total: 1.6 } });
  assert.match(busy.message, /within 1\.6 s .*"timeouts\.total"/);
});

test('a server whose tool needs a task but that offers none gets a plain call and an honest sentence', async () => {
  await using session = await openTasks('none');
  const { code, message } = await failureOf(session, 'works');
  assert.equal(code, 'protocol');
  assert.match(
    message,
    /^The tool "works" of the MCP server "srv" can only be called as a task, but the server does not offer tasks/,
  );
  assert.match(message, /this tool requires a task/);
});

test('the reference server: a research that asks in between', async () => {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve('@modelcontextprotocol/server-everything/package.json'));
  const features = new TestClientFeatures();
  features.elicitation = async () => ({ action: 'accept', content: { interpretation: 'snake' } });
  const launch = {
    type: 'stdio',
    command: process.execPath,
    args: [join(folder, 'dist/index.js')],
    env: {},
  } as const;
  await using session = await open(launch, { features });
  // It registers this tool only after the handshake.
  await eventually('the tool is listed', async () =>
    (await toolNames(session)).includes('simulate-research-query'),
  );
  const said: string[] = [];
  const result = await call(
    session,
    'simulate-research-query',
    { topic: 'python', ambiguous: true },
    { onProgress: ({ message }) => void said.push(message ?? '') },
  );
  assert.ok(isJsonObject(result));
  assert.match(JSON.stringify(result['content']), /Research Report: python \(snake\)/);
  assert.equal(features.asked.length, 1);
  assert.ok(said.some((message) => message.includes('multiple interpretations')));
});
