import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { isJsonObject } from '../../src/base/json.ts';
import { StdioTransport } from '../../src/mcp/stdioTransport.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { call, open, toolNames } from '../support/sessions.ts';

const { signal } = new AbortController();

test('servers of every generation of the SDK are spoken to', async () => {
  for (const server of ['sdkV1', 'sdkV2']) {
    const mark = new ProcessMark();
    await using session = await open(launchOf(server, mark));
    assert.deepEqual(
      [await toolNames(session), await call(session, 'echo', { text: 'hello' })],
      [['echo'], { content: [{ type: 'text', text: 'hello' }] }],
      server,
    );
    await session.close();
    await mark.assertGone();
  }
});

test('messages arrive although they are written byte by byte', async () => {
  const mark = new ProcessMark();
  await using session = await open(launchOf('splitUtf8', mark));
  assert.deepEqual(
    [await toolNames(session), await call(session, 'größe')],
    [['größe'], { content: [{ type: 'text', text: 'naïve 🎉 日本語' }] }],
  );
});

test('other text on stdout is logged and does no harm', async () => {
  const mark = new ProcessMark();
  const log = new RecordingLogger();
  await using session = await open(launchOf('bannerOnStdout', mark), { log });
  assert.deepEqual(await toolNames(session), ['tidy']);
  assert.deepEqual(log.lines.filter((line) => line.includes('stdout: ')).slice(0, 5), [
    'info: stdout: Listening …',
    'info: stdout: {"level":"info","message":"a log line in JSON"}',
    'info: stdout: [1, 2]',
    'info: stdout: { broken',
    'info: stdout: > sending',
  ]);
});

test('a flood on stderr blocks nothing and does not flood the log', async () => {
  const mark = new ProcessMark();
  const log = new RecordingLogger();
  await using session = await open(launchOf('floodsStderr', mark), { log });
  assert.deepEqual(await toolNames(session), ['quiet']);
  const shown = log.lines.filter((line) => line.includes(': stderr: debug '));
  assert.ok(shown.length > 100 && shown.length <= 250, `${shown.length} lines`);
  await session.close();
  assert.match(log.text, /info: stderr: \(too much to log: 1\d{6} characters left out\)/);
});

test('a server runs in its directory with its environment', async () => {
  const mark = new ProcessMark();
  const launch = launchOf('echo', mark);
  const env = { ...launch.env, OWN: 'value', HOME: null };
  await using session = await open({ ...launch, cwd: '/', env });
  const result = await call(session, 'environment');
  assert.ok(isJsonObject(result) && isJsonObject(result['structuredContent']));
  const { cwd, env: seen } = result['structuredContent'];
  assert.ok(isJsonObject(seen));
  assert.deepEqual(
    [cwd, seen['OWN'], seen['HOME'], seen['PATH'], seen['npm_config_user_agent']],
    ['/', 'value', undefined, process.env['PATH'], undefined],
  );
});

test('how the process ended and its last words are known afterwards', async () => {
  const mark = new ProcessMark();
  const transport = new StdioTransport(
    launchOf('crashOnStart', mark),
    new RecordingLogger(),
    signal,
  );
  let closed = 0;
  transport.onclose = () => {
    closed += 1;
  };
  await transport.start();
  await eventually('the end', () => closed > 0);
  await assert.rejects(
    transport.send({ jsonrpc: '2.0', method: 'x' }),
    /the process of the server is gone/,
  );
  await transport.close();
  assert.deepEqual(
    [transport.exit, transport.lastWords, closed],
    [{ code: 3, signal: null }, 'reading configuration\ncannot start: API_KEY is not set', 1],
  );
});

test('closing while the process is being started waits for its end', async () => {
  for (let turns = 0; turns < 6; turns++) {
    const mark = new ProcessMark();
    const transport = new StdioTransport(
      launchOf('neverAnswers', mark),
      new RecordingLogger(),
      signal,
    );
    const starting = transport.start().then(
      () => 'started',
      () => 'given up',
    );
    for (let turn = 0; turn < turns; turn++) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    await transport.close();
    assert.deepEqual(mark.running(), []);
    await starting;
    await mark.assertGone();
  }
});

test('many servers leave no listeners at the process and no warning', async () => {
  const warnings: string[] = [];
  const warn = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', warn);
  const before = process.listenerCount('exit');
  const mark = new ProcessMark();
  const transports = Array.from(
    { length: 12 },
    () => new StdioTransport(launchOf('crashOnStart', mark), new RecordingLogger(), signal),
  );
  await Promise.all(transports.map((transport) => transport.start()));
  await Promise.all(transports.map((transport) => transport.close()));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  process.off('warning', warn);
  assert.deepEqual([warnings, process.listenerCount('exit') - before <= 1], [[], true]);
  await mark.assertGone();
});
