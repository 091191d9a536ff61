import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerAnswer } from '../../src/core/tools/toolCall.ts';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

const { signal } = new AbortController();

function textOf(answer: ServerAnswer): string {
  return answer.kind === 'answer' ? JSON.stringify(answer.result) : answer.message;
}

test('resources and prompts show behind the tools, and are known again before the next start', async () => {
  const mark = new ProcessMark();
  await using all = new TestSupervisor();
  const launch = launchOf('contents', mark);
  all.host.update([wantedOf('srv', launch)]);
  await all.ready('srv');
  await eventually('the lists', () => all.server('srv')?.resources && all.server('srv')?.prompts);
  const { resources, prompts } = all.server('srv') ?? {};
  assert.deepEqual(
    [resources?.resources.length, resources?.templates.length, prompts?.prompts.length],
    [3, 1, 3],
  );
  const fingerprints = (host: TestSupervisor['host']) =>
    [...buildCatalog(host.servers).tools.values()].map(({ fingerprint }) => fingerprint);
  const live = fingerprints(all.host);
  assert.equal(live.length, 2);

  await using next = new TestSupervisor();
  // As storage gives it back.
  for (const [from, to] of [
    [all.cache, next.cache],
    [all.listCache, next.listCache],
  ] as const) {
    for (const [key, value] of from) to.set(key, JSON.parse(JSON.stringify(value)));
  }
  next.host.update([wantedOf('srv', launch, { start: 'onUse' })]);
  assert.deepEqual([next.kind('srv'), fingerprints(next.host)], ['stopped', live]);

  const cached = next.server('srv')?.resources;
  assert.match(
    textOf(await next.host.readResource({ serverId: 'user/srv', uri: 'note://guide', signal })),
    /Begin here/,
  );
  await next.ready('srv');
  // The server's broken entries are known again, so it is another list; the tool stays the same.
  assert.deepEqual(cached?.problems, []);
  await eventually('the list', () => next.server('srv')?.resources?.problems.length === 2);
  assert.deepEqual(fingerprints(next.host), live);
});

test('equal lists are no change, and a changed one is read again', async () => {
  await using all = new TestSupervisor();
  all.host.update([wantedOf('srv', launchOf('contents', new ProcessMark()))]);
  await all.ready('srv');
  const first = await eventually('resources', () => all.server('srv')?.resources);
  await eventually('prompts', () => all.server('srv')?.prompts);
  await all.host.refresh('user/srv');
  assert.equal(all.server('srv')?.resources, first);
  await all.call('srv', 'grow');
  const grown = await eventually('the change', () => {
    const now = all.server('srv')?.resources;
    return now !== first && now;
  });
  assert.deepEqual(grown.resources.at(-1)?.uri, 'note://extra/5');
});

test('prompts the settings do not want are not shown, and are when they do', async () => {
  await using all = new TestSupervisor();
  const launch = launchOf('contents', new ProcessMark());
  all.host.update([wantedOf('srv', launch, { prompts: false })]);
  await all.ready('srv');
  await eventually('the lists', () => all.log.text.includes('prompts: 3'));
  assert.equal(all.server('srv')?.prompts, undefined);
  all.host.update([wantedOf('srv', launch)]);
  assert.equal(all.server('srv')?.prompts?.prompts.length, 3);
});

test('a list that cannot be had is a problem and costs no tool', async () => {
  await using all = new TestSupervisor();
  all.host.update([wantedOf('srv', launchOf('failingLists', new ProcessMark()))]);
  await all.ready('srv');
  const problems = await eventually('both problems', () => {
    const { resources, prompts } = all.server('srv') ?? {};
    return resources && prompts && [...resources.problems, ...prompts.problems];
  });
  assert.deepEqual(
    [problems.map(({ where }) => where), all.toolNames('srv'), all.kind('srv')],
    [['resources/list', 'prompts/list'], ['works'], 'running'],
  );
  assert.match(problems[0]?.message ?? '', /^The resource list could not be read: .*no disk/);
});

test('requests to a server that may not run say why', async () => {
  await using all = new TestSupervisor();
  const launch = launchOf('contents', new ProcessMark());
  all.host.update([wantedOf('srv', launch, { start: 'manual' })]);
  const known = new Map<string, string>();
  const answers = await Promise.all([
    all.host.readResource({ serverId: 'user/srv', uri: 'note://guide', signal }),
    all.host.getPrompt({ serverId: 'user/srv', prompt: 'hello', arguments: known, signal }),
    all.host.complete({
      serverId: 'user/gone',
      reference: { type: 'ref/prompt', name: 'hello' },
      argument: 'a',
      value: '',
      known,
      signal,
    }),
  ]);
  assert.deepEqual(
    answers.map(({ kind }) => kind),
    ['failure', 'failure', 'failure'],
  );
  assert.match(
    answers.map(textOf).join('\n'),
    /by hand.*\n.*by hand.*\n.*removed from the settings/,
  );
});
