import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '../../src/core/settings/limits.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

test('servers start beside each other: one that hangs delays no other', async () => {
  const mark = new ProcessMark();
  {
    await using all = new TestSupervisor();
    all.host.update([
      wantedOf('hangs', launchOf('neverAnswers', mark)),
      wantedOf('one', launchOf('echo', mark)),
      wantedOf('crashes', launchOf('crashOnStart', mark)),
      wantedOf('two', launchOf('paginates', mark)),
    ]);
    assert.deepEqual(
      all.host.servers.map(({ configuration }) => configuration.key),
      ['hangs', 'one', 'crashes', 'two'],
    );
    await all.ready('one', 'two');
    await eventually('the crash is known', () => all.kind('crashes') === 'error');
    assert.deepEqual([all.kind('hangs'), all.toolNames('two')?.length], ['starting', 5]);
  }
  assert.deepEqual(mark.running(), []);
});

test('an error says what happened, and secrets are masked', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const launch = launchOf('crashOnStart', mark);
  const env = { ...launch.env, KEY: 'reading configuration' };
  all.host.update([wantedOf('bad', { ...launch, env })]);
  const state = await eventually('the error', () => {
    const server = all.server('bad');
    return server?.state.kind === 'error' && server.state;
  });
  assert.deepEqual(
    [state.code, state.message],
    [
      'handshakeFailed',
      "The server's process ended with exit code 3 before it was ready. Its last words: •••\ncannot start: API_KEY is not set",
    ],
  );
  assert.ok(all.log.text.includes('cannot start') && !all.log.text.includes('configuration'));
});

test('a server whose variables have no value, or that may not start, says so', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.refusals.set('refused', 'Trust the workspace to start it.');
  const unresolved = wantedOf('unresolved', launchOf('echo', mark));
  const problems = [{ where: 'unresolved.url', message: '${env:X} has no value here.' }];
  all.host.update([
    { ...unresolved, resolved: { problems } },
    wantedOf('refused', launchOf('echo', mark)),
  ]);
  await eventually('both are known', () =>
    all.host.servers.every(({ state }) => state.kind === 'error'),
  );
  assert.deepEqual(
    all.host.servers.map(({ state }) => state.kind === 'error' && [state.code, state.message]),
    [
      ['invalidSettings', '${env:X} has no value here.'],
      ['notTrusted', 'Trust the workspace to start it.'],
    ],
  );
  all.refusals.clear();
  all.host.update(
    all.host.servers.map(({ configuration }) =>
      wantedOf(configuration.key, launchOf('echo', mark)),
    ),
  );
  await all.ready('refused');
});

test('only a server whose launch differs is started anew', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const echo = launchOf('echo', mark);
  all.host.update([wantedOf('same', echo), wantedOf('other', echo)]);
  await all.ready('same', 'other');
  const before = [all.pid('same'), all.pid('other')];
  all.host.update([
    wantedOf('other', { ...echo, args: [...echo.args, '--new'] }),
    wantedOf('same', echo, { deny: ['*'], confirm: 'never', prefix: 'p' }),
  ]);
  assert.deepEqual(
    all.host.servers.map(({ configuration: { key, deny } }) => [key, deny]),
    [
      ['other', []],
      ['same', ['*']],
    ],
  );
  await all.ready('other', 'same');
  assert.equal(all.pid('same'), before[0]);
  assert.notEqual(all.pid('other'), before[1]);
  await eventually('the old process is gone', () => mark.running().length === 2);
});

test('a server that is removed or switched off ends', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const echo = launchOf('echo', mark);
  all.host.update([wantedOf('removed', echo), wantedOf('off', echo)]);
  await all.ready('removed', 'off');
  all.host.update([wantedOf('off', echo, { enabled: false })]);
  await mark.assertGone();
  assert.deepEqual(
    all.host.servers.map(({ configuration, state }) => [configuration.key, state.kind]),
    [['off', 'stopped']],
  );
  const { kind } = await all.call('removed', 'echo');
  assert.equal(kind, 'failure');
  all.host.update([wantedOf('off', echo)]);
  await all.ready('off');
});

test('a server that was stopped by hand stays stopped when other settings change', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const echo = launchOf('echo', mark);
  all.host.update([wantedOf('x', echo), wantedOf('y', echo)]);
  await all.ready('x', 'y');
  await all.host.stop('user/x');
  all.host.update([wantedOf('x', echo, { deny: ['a'] }), wantedOf('y', echo, { deny: ['a'] })]);
  await all.host.restart('user/y');
  assert.deepEqual([all.kind('x'), mark.running().length], ['stopped', 1]);
});

test('tools of an earlier session are there before the start, and the first call starts', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.cache.set('lazy', [{ name: 'echo', inputSchema: { type: 'object' } }, 'broken']);
  all.host.update([wantedOf('lazy', launchOf('echo', mark), { start: 'onUse' })]);
  assert.deepEqual(
    [all.kind('lazy'), all.toolNames('lazy'), all.server('lazy')?.tools?.isFromCache],
    ['stopped', ['echo'], true],
  );
  const calls = [all.call('lazy', 'echo', { a: 1 }), all.call('lazy', 'echo', { a: 2 })];
  assert.deepEqual(
    await Promise.all(calls),
    ['{"a":1}', '{"a":2}'].map((text) => ({
      kind: 'result',
      isError: false,
      parts: [{ kind: 'text', text }],
      warnings: [],
    })),
  );
  assert.equal(mark.running().length, 1);
  await all.ready('lazy');
  assert.deepEqual(all.toolNames('lazy'), ['echo', 'environment', 'fail', 'refuse']);
  assert.equal((all.cache.get('lazy') as unknown[]).length, 4);
});

test('a server that is started by hand is not started by a call', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('hand', launchOf('echo', mark), { start: 'manual' })]);
  const outcome = await all.call('hand', 'echo');
  assert.ok(outcome.kind === 'failure' && outcome.message.includes('started by hand'));
  assert.deepEqual([all.kind('hand'), mark.running()], ['stopped', []]);
  await all.host.start('user/hand');
  assert.equal((await all.call('hand', 'echo')).kind, 'result');
});

test('a call does not start a server again that has just failed', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('bad', launchOf('crashOnStart', mark), { start: 'onUse' })]);
  const outcomes = [await all.call('bad', 'x'), await all.call('bad', 'x')];
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === 'failure' && outcome.code),
    ['stopped', 'stopped'],
  );
  assert.equal(all.log.lines.filter((line) => line.endsWith(' starting')).length, 1);
});

test('a changed tool list is read again, once for a burst', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('grows', launchOf('listChanged', mark))]);
  await all.ready('grows');
  await all.call('grows', 'grow', { times: 50 });
  await eventually('all tools are known', () => all.toolNames('grows')?.length === 51);
  const outcome = await all.call('grows', 'grow', { times: 0 });
  assert.ok(outcome.kind === 'result' && outcome.parts[0]?.kind === 'text');
  assert.ok(Number(outcome.parts[0].text) <= 4);
});

test('a server that crashes is in error, and the next call starts it again', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('c', launchOf('crashMidCall', mark))]);
  await all.ready('c');
  const outcome = await all.call('c', 'crash');
  assert.deepEqual(
    [outcome.kind === 'failure' && outcome.code, all.kind('c')],
    ['connectionLost', 'error'],
  );
  await all.host.start('user/c');
  assert.equal(all.kind('c'), 'running');
});

test('a tool list that never comes leaves the server running and callable', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const timeouts = { connect: 1, call: 1, total: 1 };
  const launch = launchOf('neverAnswers', mark, 'tools/list');
  all.host.update([wantedOf('mute', launch, { timeouts })]);
  await all.host.start('user/mute');
  assert.equal(all.kind('mute'), 'running');
  assert.match(all.log.text, /the tool list could not be read/i);
});

test('changed limits count for a running server and for the list of one that is stopped', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const launch = launchOf('paginates', mark);
  const limited = (tools: number) => wantedOf('s', launch, { limits: { ...defaultLimits, tools } });
  const count = (): number | undefined => all.toolNames('s')?.length;
  all.host.update([limited(1000)]);
  await all.ready('s');
  const pid = all.pid('s');
  all.host.update([limited(3)]);
  await eventually('three tools', () => count() === 3);
  assert.match(
    all.server('s')?.tools?.problems[0]?.message ?? '',
    /first 3 tools .*"limits\.tools"/,
  );
  all.host.update([limited(4)]);
  await eventually('four tools', () => count() === 4);
  assert.equal(all.pid('s'), pid, 'the server was not started anew');

  await all.host.stop('user/s');
  all.host.update([limited(2)]);
  assert.equal(count(), 2);
});
