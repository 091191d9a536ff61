import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import type { Exchange, Script } from '../servers/scriptedHttp.ts';
import { startScripted } from '../servers/scriptedHttp.ts';
import { startStreamableHttp } from '../servers/streamableHttp.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { call, open } from '../support/sessions.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { startTcpProxy } from '../support/tcpProxy.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: {} }) as const;

const status =
  (code: number) =>
  ({ response }: Exchange) => {
    response.writeHead(code).end();
    return undefined;
  };

/** What a server does when it is asked whether it is there, and what is made of it. */
const checks: Readonly<Record<string, readonly [script: Script, ends: RegExp | undefined]>> = {
  'that answers': [{ ping: () => ({}) }, undefined],
  'that does not know the question': [{}, undefined],
  'that refuses it': [{ ping: status(403) }, undefined],
  'that fails over it': [{ ping: status(500) }, undefined],
  'behind a gateway that cannot reach it': [{ ping: status(502) }, /HTTP 502/],
  'that cuts the connection': [
    {
      ping: ({ response }) => {
        response.destroy();
        return undefined;
      },
    },
    /closed the connection/,
  ],
  'that says nothing': [{ ping: () => undefined }, /does not answer/],
};

test('a session is given up when its server is not there', { concurrency: true }, async (all) => {
  const tests = Object.entries(checks).map(([name, [script, ends]]) =>
    all.test(`${ends ? 'given up' : 'kept'} with a server ${name}`, async () => {
      await using server = await startScripted(script);
      await using session = await open(launchAt(server.url));
      let isOver = false;
      session.onDidClose(() => {
        isOver = true;
      });
      const startedAt = performance.now();
      await Promise.all([session.verify(), session.verify()]);
      assert.ok(performance.now() - startedAt < 15_000);
      assert.equal(isOver, ends !== undefined);
      if (ends !== undefined) assert.match(session.endReason, ends);
      const asked = server.methods.filter((method) => method === 'ping').length;
      assert.equal(asked, ends === undefined ? 1 : 2, 'one check at a time, asked twice at most');
    }),
  );
  await Promise.all(tests);
});

test('a server that is busy with a call need not answer', async () => {
  await using server = await startScripted({
    ping: () => undefined,
    'tools/call': () => undefined,
  });
  await using session = await open(launchAt(server.url));
  const calling = call(session, 'echo').catch(() => undefined);
  await eventually('the call', () => server.methods.includes('tools/call'));
  let isOver = false;
  session.onDidClose(() => {
    isOver = true;
  });
  await session.verify();
  assert.equal(isOver, false);
  await session.close();
  await calling;
});

test('a session that the server forgot is opened anew when a list is read', async () => {
  await using server = await startStreamableHttp();
  await using all = new TestSupervisor();
  all.host.update([wantedOf('s', launchAt(server.url))]);
  await all.ready('s');
  server.forget();
  await all.host.refresh('user/s');
  await eventually(
    'the new session',
    () => server.openSessions === 1 && all.kind('s') === 'running',
  );
  assert.deepEqual(all.toolNames('s'), ['echo']);
});

test('after a sleep of the machine remote servers are asked, and those that are gone come back', async () => {
  const mark = new ProcessMark();
  await using sound = await startStreamableHttp();
  await using gone = await startStreamableHttp();
  await using proxy = await startTcpProxy(gone.url);
  mock.timers.enable({ apis: ['setInterval'] });
  await using all = new TestSupervisor();
  all.host.update([
    wantedOf('sound', launchAt(sound.url)),
    wantedOf('gone', launchAt(proxy.url)),
    wantedOf('local', launchOf('echo', mark)),
  ]);
  await all.ready('sound', 'gone', 'local');
  const pid = all.pid('local');
  const sessions = sound.requests.length;
  await proxy.down();
  const { now } = Date;
  try {
    Date.now = () => now() + 3_600_000;
    mock.timers.tick(10_000);
  } finally {
    Date.now = now;
    mock.timers.reset();
  }
  assert.match(all.log.text, /no time for 3[56]\d\d s: remote servers are checked/);
  await eventually('the loss', () => all.kind('gone') === 'error', 15_000);
  await proxy.up();
  await eventually('its return', () => all.kind('gone') === 'running', 15_000);
  assert.equal(all.kind('sound'), 'running');
  const asked = sound.requests.slice(sessions).filter((request) => request.startsWith('POST'));
  assert.equal(asked.length, 1, 'one question');
  assert.equal(all.pid('local'), pid);
  assert.doesNotMatch(all.log.text, /\[sound\] .*(session ended|starting again)/);
});
