import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import type { AuditEvent } from '../../src/core/audit/auditPort.ts';
import type { WantedServer } from '../../src/core/servers/serverHost.ts';
import { configurationOf } from '../support/builders.ts';
import { useFakeVscode } from '../support/fakeVscode.ts';
import { window } from '../support/vscode.ts';

useFakeVscode();
const { SealedState } = await import('../../src/editor/sealedState.ts');
const { LaunchApprovals } = await import('../../src/editor/trust/launchApprovals.ts');
const { LaunchReview } = await import('../../src/editor/trust/launchReview.ts');

const onError = (error: unknown): void => assert.fail(String(error));
const origin = {
  scope: 'workspace',
  folder: { name: 'w', uri: 'file:///w', path: '/w' },
} as const;

function wanted(key: string): WantedServer {
  const launch = { type: 'stdio', command: key, args: [], env: {} } as const;
  const configuration = configurationOf(key, { launch, origin });
  return { id: configuration.id, configuration, resolved: { launch } };
}

async function setUp() {
  const kept = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const context = {
    globalState: {
      get: (name: string) => kept.get(name),
      update: async (name: string, value: unknown) => void kept.set(name, value),
      keys: () => [...kept.keys()],
    },
    secrets: {
      get: async (name: string) => secrets.get(name),
      store: async (name: string, value: string) => void secrets.set(name, value),
    },
  } as unknown as vscode.ExtensionContext;
  const state = await SealedState.open(context, onError);
  const approvals = new LaunchApprovals(
    state,
    async () => ({}),
    (text) => text,
  );
  const events: AuditEvent[] = [];
  const audit = { record: (event: AuditEvent) => void events.push(event) };
  const reload = async (): Promise<void> => undefined;
  const added = new Set<string>();
  const review = new LaunchReview({ approvals, audit, added, reload, onError });
  return { review, approvals, events, kept };
}

/** Lets what was begun get to its end. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test('T09 fifty servers of a workspace are told of once, and chosen from one list', async () => {
  const { review, events } = await setUp();
  const told: string[] = [];
  window.answer = async (title) => void told.push(title);
  const servers = Array.from({ length: 50 }, (_, index) => wanted(`server${index}`));
  for (let edit = 0; edit < 20; edit++) review.update(servers);
  await settle();
  assert.deepEqual(told, ['50 MCP servers of this workspace wait for your approval.']);
  const lists: unknown[] = [];
  Object.assign(window, {
    showQuickPick: async (items: readonly object[], options: object) => {
      lists.push([items.length, options, items.some((item) => 'picked' in item)]);
    },
  });
  // The list is closed without a choice.
  await review.reviewAll();
  assert.equal(lists.length, 1);
  assert.deepEqual((lists[0] as unknown[])[0], 50);
  assert.equal((lists[0] as unknown[])[2], false, 'nothing is chosen beforehand');
  assert.deepEqual([told.length, events.length], [1, 0]);
});

test('T09 dialogs come one at a time, and the first button does not approve', async () => {
  const { review, approvals, events } = await setUp();
  let open = 0;
  const first: unknown[] = [];
  window.answer = async (_title, _detail, items) => {
    assert.equal((open += 1), 1, 'only one dialog');
    await settle();
    open -= 1;
    first.push(items[0]);
    return items[0];
  };
  const servers = ['a', 'b', 'c'].map(wanted);
  review.update(
    servers.map((server) => ({
      ...server,
      configuration: { ...server.configuration, start: 'manual' },
    })),
  );
  assert.deepEqual(await Promise.all(servers.map(({ id }) => review.ask(id))), [
    false,
    false,
    false,
  ]);
  assert.deepEqual(new Set(first), new Set(['Not Now']));
  assert.deepEqual(
    events.map((event) => event.kind === 'decision' && event.decision),
    ['refused', 'refused', 'refused'],
  );
  for (const { configuration } of servers) {
    assert.equal(approvals.approved(configuration), undefined);
  }
});

test('T64 an approval that somebody else wrote, or changed, counts for nothing', async () => {
  const { review, approvals, kept } = await setUp();
  window.answer = async (_title, _detail, items) => items[1];
  const server = wanted('a');
  const manual = {
    ...server,
    configuration: { ...server.configuration, start: 'manual' as const },
  };
  review.update([manual]);
  assert.equal(await review.ask(server.id), true);
  const launchable = { configuration: manual.configuration, launch: server.configuration.launch };
  assert.ok(launchable.launch.type === 'stdio');
  const refusal = () =>
    approvals.refusal({
      ...launchable,
      launch: { type: 'stdio', command: 'a', args: [], env: {} },
    });
  assert.equal(await refusal(), undefined);
  const name = [...kept.keys()].find((key) => key.startsWith('mcpBridge.launch/'));
  assert.ok(name !== undefined);
  const stored = kept.get(name) as { value: { key: string }; seal: string };
  for (const forged of [
    { ...stored, seal: stored.seal.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    { ...stored, value: { ...stored.value, key: 'f'.repeat(64) } },
    { value: stored.value },
    'approved',
    null,
  ]) {
    kept.set(name, forged);
    assert.match(String(await refusal()), /^Waits for your approval/);
  }
  kept.set(name, { ...stored });
  assert.equal(await refusal(), undefined);
});
