import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientOptions, McpBridgeApi } from '../../src/api.ts';
import { Emitter } from '../../src/base/event.ts';
import type { AuditEvent } from '../../src/core/audit/auditPort.ts';
import { KnownSecrets } from '../../src/core/redact.ts';
import { Registrations } from '../../src/core/servers/registrations.ts';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import { ToolCaller } from '../../src/core/tools/toolCaller.ts';
import { serverOf, toolOf } from '../support/builders.ts';
import { useFakeVscode } from '../support/fakeVscode.ts';
import { stubServers } from '../support/stubServers.ts';
import { CancellationTokenSource, window } from '../support/vscode.ts';

useFakeVscode();
const { BridgeApi } = await import('../../src/editor/bridgeApi.ts');
const { ApprovedCaller } = await import('../../src/editor/approvedCaller.ts');

/** The API over one server `s` with the tool `a`, and what reaches the person and the server. */
function apiOf(approve: () => Promise<boolean> = () => Promise.resolve(true)) {
  const asked: unknown[] = [];
  const calls: unknown[] = [];
  const changes = new Emitter<void>((error) => assert.fail(String(error)));
  const registrations = new Registrations();
  let catalog = buildCatalog([serverOf('s', ['a'])]);
  const servers = stubServers({
    callTool: (request) => {
      calls.push(request.arguments);
      return Promise.resolve({ kind: 'answer', result: { content: [] } });
    },
  });
  const events: AuditEvent[] = [];
  const audit = { record: (event: AuditEvent) => void events.push(event) };
  const caller = new ApprovedCaller(
    new ToolCaller(servers, () => catalog),
    audit,
    new KnownSecrets(),
  );
  window.answer = async (title, detail, items) => {
    asked.push([title, detail]);
    return (await approve()) ? items[0] : items[1];
  };
  let reloads = 0;
  const bridgeApi = new BridgeApi({
    registrations,
    reload: () => {
      reloads += 1;
      return Promise.resolve();
    },
    source: () => ({ catalog, caller }),
    onDidChangeCatalog: changes.event,
    onError: (error) => assert.fail(String(error)),
  });
  return {
    bridgeApi,
    api: bridgeApi.api,
    ...{ asked, calls, registrations, events },
    reloads: () => reloads,
    setTools: (...descriptions: string[]) => {
      catalog = buildCatalog([
        serverOf(
          's',
          descriptions.map((description) => toolOf('a', { description })),
        ),
      ]);
      changes.fire();
    },
  };
}

const duck: ClientOptions = {
  ...{ extension: 'pub.ext', key: 'duck' },
  client: { listTools: () => Promise.resolve([]), callTool: () => Promise.resolve({}) },
};

test('a registration counts until it is disposed, once', async () => {
  const { api, registrations, reloads } = apiOf();
  const registration = await api.registerClient(duck);
  assert.deepEqual([registrations.layers.length, reloads()], [1, 1]);
  registration.dispose();
  registration.dispose();
  assert.deepEqual([registrations.layers.length, reloads()], [0, 2]);
  await assert.rejects(api.registerClient({ ...duck, extension: 'no.such' }), /context\.extension/);
  assert.equal(reloads(), 2);
});

test('what is called is what was approved', async () => {
  const args = { n: 1 };
  const { api, asked, calls } = apiOf(() => {
    args.n = 2;
    return Promise.resolve(true);
  });
  assert.equal((await api.callTool('s__a', args)).isError, false);
  assert.match(JSON.stringify(asked), /n: ‹1›/);
  assert.deepEqual([asked.length, calls], [1, [{ n: 1 }]]);
});

test('a call that is refused, unknown or has no object as arguments is not made', async () => {
  const { api, calls } = apiOf(() => Promise.resolve(false));
  const textOf = async (calling: ReturnType<McpBridgeApi['callTool']>): Promise<string> => {
    const { isError, content } = await calling;
    return JSON.stringify([isError, content]);
  };
  assert.match(await textOf(api.callTool('s__a')), /true.*user did not allow it/);
  assert.match(await textOf(api.callTool('s__gone')), /true.*There is no tool/);
  assert.match(await textOf(api.callTool('s__a', [])), /true.*must be a JSON object/);
  assert.deepEqual(calls, []);
});

test('a tool that changes while the person is asked is not called', async () => {
  const { api, calls, setTools } = apiOf(() => {
    setTools('Does something else.');
    return Promise.resolve(true);
  });
  const { content } = await api.callTool('s__a');
  assert.match(JSON.stringify(content), /its definition changed while the user was asked/);
  assert.deepEqual(calls, []);
});

test('whoever cancels does not wait for the person', async () => {
  const { api, calls } = apiOf(() => new Promise(() => undefined));
  const source = new CancellationTokenSource();
  const calling = api.callTool('s__a', {}, source.token);
  source.cancel();
  await assert.rejects(calling, { name: 'Canceled' });
  assert.deepEqual(calls, []);
});

test('events tell of changes that can be seen, and only of those', () => {
  const { api, setTools } = apiOf();
  const events: string[] = [];
  api.onDidChangeTools(() => events.push(`tools: ${api.tools[0]?.description}`));
  api.onDidChangeServers(() => events.push('servers'));
  setTools('one');
  setTools('one');
  setTools('two');
  assert.deepEqual(events, ['tools: one', 'servers', 'tools: two']);
});

test('after the end everything says so', async () => {
  const { bridgeApi, api, calls } = apiOf();
  assert.equal(api.tools.length, 1);
  bridgeApi.dispose();
  const says = { message: /^MCP Bridge was deactivated\. Get its API anew/ };
  await assert.rejects(api.callTool('s__a'), says);
  await assert.rejects(api.registerClient(duck), says);
  await assert.rejects(api.registerServer({ ...duck, entry: { command: 'x' } }), says);
  assert.throws(() => api.tools, says);
  assert.throws(() => api.servers, says);
  assert.deepEqual(calls, []);
});

test('T47 each call is told to the audit log: who approved it, and how it ended', async () => {
  const { api, events } = apiOf(async () => false);
  await api.callTool('s__a', { secret: 'value' });
  await api.callTool('no_such_tool', {});
  assert.deepEqual(
    events.map((event) => ({ ...event, duration: 0 })),
    [
      {
        ...{ kind: 'call', server: 's', scope: 'user', tool: 'a', exposedName: 's__a' },
        ...{ arguments: { secret: 'value' }, approval: 'refused' },
        ...{ outcome: 'failure', code: 'notAllowed', duration: 0 },
      },
      {
        ...{ kind: 'call', server: '', scope: '', tool: 'no_such_tool' },
        ...{ exposedName: 'no_such_tool', arguments: {}, approval: 'none' },
        ...{ outcome: 'failure', code: 'toolUnknown', duration: 0 },
      },
    ],
  );
});
