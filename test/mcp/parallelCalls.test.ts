import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { call, open } from '../support/sessions.ts';

interface Meta {
  readonly traceparent: string;
  readonly progressToken: number;
}

test('a hundred calls run at once, and each gets its own answer', async () => {
  await using session = await open(launchOf('parallel', new ProcessMark()));
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  // The server answers none before it has them all.
  const results = await Promise.all(
    numbers.map((number) => call(session, 'gather', { of: 100, number })),
  );
  assert.deepEqual(
    results,
    numbers.map((number) => ({ content: [{ type: 'text', text: `this is ${number}` }] })),
  );
  const { structuredContent } = (await call(session, 'metas')) as {
    structuredContent: { metas: Meta[] };
  };
  const { metas } = structuredContent;
  const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-01$/;
  const traces = metas.map(({ traceparent }) => form.exec(traceparent)?.[1]);
  assert.ok(!traces.includes(undefined));
  assert.equal(new Set(traces).size, 100, 'each call is a trace of its own');
  assert.equal(new Set(metas.map(({ progressToken }) => progressToken)).size, 100);
});

test('the trace that the server got stands in the log', async () => {
  await using supervisor = new TestSupervisor();
  supervisor.host.update([wantedOf('srv', launchOf('parallel', new ProcessMark()))]);
  await supervisor.ready('srv');
  await supervisor.call('srv', 'gather', { of: 1, number: 7 });
  const outcome = await supervisor.call('srv', 'metas');
  const traceId = /00-([0-9a-f]{32})-/.exec(JSON.stringify(outcome))?.[1];
  assert.ok(traceId);
  assert.match(
    supervisor.log.text,
    new RegExp(`debug: .*tools/call gather: \\d+ ms \\(trace ${traceId}\\)`),
  );
});

test('disposing at any moment of many calls settles all of them and leaves no process', async () => {
  for (let round = 0; round < 6; round++) {
    const mark = new ProcessMark();
    const supervisor = new TestSupervisor();
    supervisor.host.update([wantedOf('srv', launchOf('parallel', mark))]);
    const calls = Array.from({ length: 20 }, (_, number) =>
      supervisor.call('srv', 'gather', { of: 1000, number }),
    );
    await pause(Math.random() * 900);
    supervisor.host.dispose();
    for (const { kind } of await Promise.all(calls)) assert.equal(kind, 'failure');
    await supervisor.host.stopAll();
    await mark.assertGone();
  }
});
