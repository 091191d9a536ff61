import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import { OutputLog } from '../../src/mcp/outputLog.ts';
import { openFailure } from '../support/sessions.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { serverOf, toolOf } from '../support/builders.ts';
import { MarkdownString } from '../support/vscode.ts';
import { eventually } from '../support/eventually.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { useFakeVscode } from '../support/fakeVscode.ts';

useFakeVscode();
const { toolTooltip } = await import('../../src/editor/tooltips.ts');

const hidden = ['\u200B', '\u202E', '\u2066', '\u{E0041}', '\uFEFFx\uFEFF', '\u0007', '\u009B31m'];
for (const text of hidden) {
  test(`T34 hidden characters ${JSON.stringify(text)} are written out where a model reads them`, () => {
    const description = `Adds${text}numbers.`;
    const schema = { type: 'object', properties: { a: { type: 'string', description } } };
    const [tool] = buildCatalog([
      serverOf('s', [toolOf('t', { description, inputSchema: schema })]),
    ]).tools.values();
    assert.ok(tool !== undefined);
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    const control = /[\u0000-\u0008\u0080-\u009F\u200B\u202E\u2066\uFEFF\u{E0000}-\u{E007F}]/u;
    for (const shown of [tool.modelDescription, JSON.stringify(tool.modelSchema)]) {
      assert.doesNotMatch(shown, control);
      assert.ok(shown.includes('numbers.'));
    }
    // What is compared with the pin stays what the server said.
    assert.equal(tool.definition.description, description);
  });
}

test('T35 nothing that controls a terminal is in the log', () => {
  const log = new RecordingLogger();
  const output = new OutputLog(log, 'stderr');
  const sequences = [
    '\u001B[31mred\u001B[0m',
    '\u001B]8;;https://evil.example\u0007x',
    '\u001B]52;c;eA==\u0007',
    '\u009B2J',
    '\rover',
    '\u0008',
  ];
  for (const sequence of sequences) output.push(`a${sequence}b`);
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  assert.doesNotMatch(log.text.replaceAll('\n', ''), /[\u0000-\u0008\u000B-\u001F\u0080-\u009F]/);
  assert.equal(log.lines.length, sequences.length);
});

test('T36 text of a server stays text in a tooltip', (context) => {
  // The editor escapes what is given to `appendText`: only what comes in by other ways could become active.
  context.mock.method(MarkdownString.prototype, 'appendText', function (this: MarkdownString) {
    return this;
  });
  for (const text of [
    '[x](command:workbench.action.quit)',
    '![](https://evil.example/p.png)',
    '<img src=x onerror=alert(1)>',
    '$(error) $(sync~spin)',
    '```\nfence',
    '# heading',
    '[ref]: https://evil.example',
  ]) {
    const definition = toolOf('t', {
      ...{ title: text, description: text, inputSchema: { title: text } },
      annotations: { title: text },
    });
    const [tool] = buildCatalog([serverOf('s', [definition])]).tools.values();
    assert.ok(tool !== undefined);
    const tooltip = toolTooltip(tool);
    assert.ok(!tooltip.isTrusted && !tooltip.supportHtml && !tooltip.supportThemeIcons);
    const outside = tooltip.value.replaceAll(/\n(`{3,})json\n[^]*?\n\1\n/g, '');
    assert.ok(!outside.includes(text) && !outside.includes('evil'), outside);
  }
});

test('T31 an id of a session that the protocol does not allow ends the start, and is in no log', async () => {
  const id = `${'x'.repeat(4000)}-secret-id`;
  const server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': id })
      .end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const log = new RecordingLogger();
    const launch = { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} } as const;
    const failure = await openFailure(launch, { log });
    assert.match(failure.message, /id that the protocol does not allow/);
    assert.ok(![failure.message, ...log.lines].join('\n').includes('secret-id'));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('T25 what one server is sent reaches no other', async () => {
  const seen = new Map<string, string[]>([
    ['one', []],
    ['two', []],
  ]);
  const servers = [...seen].map(([name, got]) => ({
    name,
    server: createServer((request, response) => {
      request.resume();
      got.push(JSON.stringify(request.headers));
      response.writeHead(500).end();
    }),
  }));
  await using supervised = new TestSupervisor();
  try {
    const wanted = await Promise.all(
      servers.map(async ({ name, server }) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        const headers = { Authorization: `Bearer of-${name}` };
        return wantedOf(name, { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers });
      }),
    );
    supervised.host.update(wanted);
    await eventually('both to be in error', () =>
      ['one', 'two'].every((name) => supervised.kind(name) === 'error'),
    );
    const [one, two] = [...seen.values()].map((lines) => lines.join('\n'));
    assert.ok(one?.includes('of-one') && !one.includes('of-two'));
    assert.ok(two?.includes('of-two') && !two.includes('of-one'));
  } finally {
    for (const { server } of servers) server.close();
  }
});
