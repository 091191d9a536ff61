import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClientFeatures } from '../support/clientFeatures.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { call, open, toolNames } from '../support/sessions.ts';

/** What the server was answered: `result` or `error` of its question. */
async function answered(
  tool: string,
  prepare: (features: TestClientFeatures) => void = () => undefined,
): Promise<{ answer: unknown; asked: unknown[] }> {
  const mark = new ProcessMark();
  const features = new TestClientFeatures();
  prepare(features);
  await using session = await open(launchOf('asks', mark), { features });
  const result = (await call(session, tool)) as { content: { text: string }[] };
  return { answer: JSON.parse(result.content[0]?.text ?? ''), asked: features.asked };
}

test('roots are the folders of the window', async () => {
  const roots = [{ uri: 'file:///w', name: 'w' }];
  const { answer } = await answered('roots', (features) => {
    features.currentRoots = roots;
  });
  assert.deepEqual(answer, { result: { roots } });
});

test('an answer to a form goes to the server, with the fields read', async () => {
  const { answer, asked } = await answered('form', (features) => {
    features.elicitation = async () => ({ action: 'accept', content: { name: 'Ada' } });
  });
  assert.deepEqual(answer, { result: { action: 'accept', content: { name: 'Ada' } } });
  const [question] = asked as [{ mode: string; message: string; fields: { name: string }[] }];
  assert.deepEqual(
    [question.mode, question.message, question.fields.map(({ name }) => name)],
    ['form', 'Who are you?', ['name']],
  );
});

test('an answer of a model goes to the server', async () => {
  const { answer, asked } = await answered('model', (features) => {
    features.sampling = async () => ({ model: 'm', text: 'hi' });
  });
  assert.deepEqual(answer, {
    result: {
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'hi' },
      stopReason: 'endTurn',
    },
  });
  assert.deepEqual(asked, [
    {
      systemPrompt: undefined,
      messages: [{ role: 'user', text: 'Say hi.' }],
      maxTokens: 7,
      modelHints: ['gpt'],
    },
  ]);
});

const refusals = {
  nested: /Invalid elicitation request/,
  file: /http and https/,
  image: /not supported/,
  model: /refused/,
  unknown: /Method not found/,
} as const;

for (const [tool, reason] of Object.entries(refusals)) {
  test(`T54 the question "${tool}" is refused with a reason`, async () => {
    const { answer } = await answered(tool);
    assert.match((answer as { error: { message: string } }).error.message, reason);
  });
}

test('a question outside a call does not reach the person', async () => {
  const features = new TestClientFeatures();
  const log = new RecordingLogger();
  await using session = await open(launchOf('asks', new ProcessMark()), { features, log });
  await toolNames(session);
  await eventually('the refusal is logged', () => log.text.includes('was refused'));
  assert.deepEqual(features.asked, []);
});

test('T54 a fourth question within a minute does not reach the person', async () => {
  const features = new TestClientFeatures();
  await using session = await open(launchOf('asks', new ProcessMark()), { features });
  for (let count = 0; count < 4; count++) await call(session, 'form');
  assert.equal(features.asked.length, 3);
});

test("the person's time does not count against the limits of a call", async () => {
  const features = new TestClientFeatures();
  features.elicitation = () =>
    new Promise((resolve) => {
      setTimeout(() => resolve({ action: 'decline' }), 2500);
    });
  await using session = await open(launchOf('asks', new ProcessMark()), { features });
  await call(session, 'form', {}, { timeouts: { call: 1, total: 2 } });
});

test('a server that asked for roots is told of changes', async () => {
  const features = new TestClientFeatures();
  const log = new RecordingLogger();
  await using session = await open(launchOf('asks', new ProcessMark()), { features, log });
  features.changeRoots.fire();
  await call(session, 'roots');
  features.changeRoots.fire();
  await eventually('the server is told', () => log.text.includes('roots changed'));
  assert.equal(log.text.split('roots changed').length, 2);
});

test('log messages of a server reach the log at their level', async () => {
  const log = new RecordingLogger();
  await using session = await open(launchOf('asks', new ProcessMark()), { log });
  await call(session, 'roots');
  assert.match(log.text, /warn.*calling/);
});
