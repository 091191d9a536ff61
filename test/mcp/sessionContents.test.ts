import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { completionValues } from '../../src/core/prompts/completion.ts';
import type { BridgeError } from '../../src/core/failures.ts';
import { referenceServer } from '../host/repository.ts';
import { eventually } from '../support/eventually.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { call, open } from '../support/sessions.ts';

const signal = new AbortController().signal;
const list = { seconds: 20, maxPages: 64, signal };
const request = { server: 'srv', seconds: 20, signal };
const none = new Map<string, string>();

test('resources, templates and prompts are read, and bad entries cost only themselves', async () => {
  await using session = await open(launchOf('contents', new ProcessMark()));
  const { resources, problems } = await session.listResources(list);
  const { templates, problems: badTemplates } = await session.listResourceTemplates(list);
  const { prompts, problems: badPrompts } = await session.listPrompts(list);
  assert.deepEqual(
    {
      resources: resources.map(({ uri }) => uri),
      templates: templates.map(({ uriTemplate, variables }) => [uriTemplate, variables]),
      prompts: prompts.map(({ name, arguments: args }) => [name, args.length]),
      problems: [problems, badTemplates, badPrompts].map(([problem]) =>
        problem?.message.slice(0, 10),
      ),
    },
    {
      resources: ['note://guide', 'note://pixel', 'note://both'],
      templates: [
        [
          'topic://{topic}/notes{?limit}',
          [
            { name: 'topic', required: true },
            { name: 'limit', required: false },
          ],
        ],
      ],
      prompts: [
        ['report', 3],
        ['hello', 0],
        ['long', 0],
      ],
      problems: ['2 left out', '2 left out', '2 left out'],
    },
  );
});

test('a server that announces nothing is asked for nothing', async () => {
  await using session = await open(launchOf('echo', new ProcessMark()));
  assert.deepEqual(
    [
      await session.listResources(list),
      await session.listResourceTemplates(list),
      await session.listPrompts(list),
      await session.complete(
        { type: 'ref/prompt', name: 'x' },
        { name: 'a', value: '' },
        none,
        request,
      ),
    ],
    [
      { resources: [], problems: [] },
      { templates: [], problems: [] },
      { prompts: [], problems: [] },
      {},
    ],
  );
});

test('a list the server announces but does not have is empty', async () => {
  await using session = await open(launchOf('announcesOnly', new ProcessMark()));
  assert.deepEqual(await session.listResources(list), { resources: [], problems: [] });
});

test('a resource is read, and one that does not exist says so', async () => {
  await using session = await open(launchOf('contents', new ProcessMark()));
  assert.deepEqual(await session.readResource('note://guide', request), {
    contents: [{ uri: 'note://guide', mimeType: 'text/markdown', text: '# Guide\n\nBegin here.' }],
  });
  await assert.rejects(session.readResource('note://gone', request), (error: BridgeError) => {
    assert.equal(error.code, 'protocol');
    assert.equal(
      error.message,
      'The MCP server "srv" did not read the resource "note://gone": Resource not found',
    );
    return true;
  });
});

test('a prompt is got with its arguments, and completion knows the earlier ones', async () => {
  await using session = await open(launchOf('contents', new ProcessMark()));
  const known = new Map([['topic', 'beta']]);
  const reference = { type: 'ref/prompt', name: 'report' } as const;
  const result = await session.getPrompt('report', new Map([...known, ['place', 'Bern']]), request);
  assert.match(JSON.stringify(result), /Topic: beta\\nPlace: Bern/);
  const suggested = async (name: string, value: string, given: ReadonlyMap<string, string>) =>
    completionValues(await session.complete(reference, { name, value }, given, request));
  assert.deepEqual(
    [await suggested('topic', 'b', none), await suggested('place', '', known)],
    [
      ['beta', 'betamax'],
      ['Berlin', 'Bern'],
    ],
  );
});

test('a request without an answer ends in time, and one that is cancelled with its reason', async () => {
  await using session = await open(launchOf('announcesOnly', new ProcessMark()));
  await assert.rejects(session.readResource('x://silent', { ...request, seconds: 0.2 }), {
    message: 'The MCP server "srv" did not read the resource "x://silent" within 0.2 s.',
  });
  const controller = new AbortController();
  const reading = session.readResource('x://silent', { ...request, signal: controller.signal });
  controller.abort();
  await assert.rejects(reading, { name: 'AbortError' });
});

test('a changed list is told by its name', async () => {
  await using session = await open(launchOf('contents', new ProcessMark()));
  const told: string[] = [];
  session.changes.onDidChangeList((name) => told.push(name));
  await call(session, 'grow');
  await call(session, 'grow');
  await eventually('both changes', () => told.length === 2);
  assert.deepEqual(told, ['resources', 'resources']);
  assert.equal((await session.listResources(list)).resources.length, 5);
});

test('the reference server has all of it', async () => {
  const launch = launchOf('echo', new ProcessMark());
  const everything = { ...launch, args: [referenceServer('server-everything'), 'stdio'] };
  assert.equal(everything.command, process.execPath);
  await using session = await open(everything);
  const { resources, problems } = await session.listResources(list);
  const { templates } = await session.listResourceTemplates(list);
  const { prompts } = await session.listPrompts(list);
  assert.deepEqual(
    [resources.length > 3, problems, templates.length, prompts.map(({ name }) => name)],
    [true, [], 2, ['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt']],
  );
  const reference = { type: 'ref/prompt', name: 'completable-prompt' } as const;
  const known = new Map([['department', 'Sales']]);
  assert.deepEqual(
    completionValues(
      await session.complete(reference, { name: 'name', value: '' }, known, request),
    ),
    ['David', 'Eve', 'Frank'],
  );
});
