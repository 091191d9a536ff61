// `npm run bench`: what the bridge costs, each time as a ratio against a baseline measured in the same run.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { openSession } from '../../src/mcp/openSession.ts';
import { Agent } from './agent.ts';
import { Workspace, npmServer, registeredTool } from './bridgeProbe.ts';
import { startEditor } from './startEditor.ts';
import { packageExtension, writeVsix } from './vsix.ts';
import { configurationOf } from '../support/builders.ts';
import { TestClientFeatures } from '../support/clientFeatures.ts';

const rounds = 300;
const everything = npmServer('server-everything', 'stdio');
const input = { message: 'x' };

interface Row {
  readonly what: string;
  readonly samples: number[];
}

function report(title: string, baseline: Row, rows: readonly Row[]): void {
  const at = ({ samples }: Row, part: number): number =>
    samples.toSorted((left, right) => left - right)[Math.floor(samples.length * part)] ??
    Number.NaN;
  console.log(`\n${title} (${rounds} calls each, interleaved)`);
  for (const row of [baseline, ...rows]) {
    const ratio = at(row, 0.5) / at(baseline, 0.5);
    console.log(
      `  ${row.what.padEnd(44)} p50 ${at(row, 0.5).toFixed(3)} ms  p95 ${at(row, 0.95).toFixed(3)} ms  ratio ${ratio.toFixed(2)}`,
    );
  }
}

/** One call of each, in turn, so that whatever else the machine does hits all alike. */
async function interleave(calls: Readonly<Record<string, () => Promise<unknown>>>): Promise<Row[]> {
  const rows = Object.keys(calls).map((what): Row => ({ what, samples: [] }));
  for (let round = -20; round < rounds; round++) {
    for (const row of rows) {
      const startedAt = performance.now();
      await calls[row.what]?.();
      if (round >= 0) row.samples.push(performance.now() - startedAt);
    }
  }
  return rows;
}

async function benchSession(): Promise<void> {
  const client = new Client({ name: 'bench', version: '0' }, { capabilities: {} });
  await client.connect(new StdioClientTransport({ ...everything, stderr: 'ignore' }));
  const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const session = await openSession({
    launch: { type: 'stdio', ...everything, env: {} },
    configuration: configurationOf('bench'),
    features: new TestClientFeatures(),
    version: '0',
    log: quiet,
    signal: new AbortController().signal,
  });
  try {
    const signal = new AbortController().signal;
    const timeouts = { connect: 30, call: 60, total: 600 };
    const [raw, ours] = await interleave({
      'SDK client, callTool': () => client.callTool({ name: 'echo', arguments: input }),
      'session of the bridge, callTool': () =>
        session.callTool({ server: 's', tool: 'echo', arguments: input, timeouts, signal }),
    });
    if (raw !== undefined && ours !== undefined) report('stdio, without an editor', raw, [ours]);
  } finally {
    await Promise.all([client.close(), session.close()]);
  }
}

const idleTool = `
const vscode = require('vscode');
exports.activate = (context) => context.subscriptions.push(vscode.lm.registerTool('idle__nothing', {
  prepareInvocation: () => ({ invocationMessage: 'Nothing' }),
  invoke: () => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart('nothing')]),
}));`;

async function idleExtension(folder: string): Promise<string> {
  const file = join(folder, 'idle.vsix');
  await writeVsix(file, {
    'extension.js': idleTool,
    'package.json': JSON.stringify({
      name: 'idle',
      publisher: 'mcp-bridge-test',
      version: '1.0.0',
      engines: { vscode: '^1.106.0' },
      main: './extension.js',
      activationEvents: ['*'],
      contributes: {
        languageModelTools: [
          {
            name: 'idle__nothing',
            displayName: 'Nothing',
            modelDescription: 'Does nothing.',
            inputSchema: { type: 'object', properties: {} },
          },
        ],
      },
    }),
  });
  return file;
}

async function benchEditor(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'mcp-bridge-bench-'));
  await using workspace = await Workspace.create();
  const native = { servers: { native: { type: 'stdio', ...everything } } };
  await writeFile(join(workspace.folder, '.vscode', 'mcp.json'), JSON.stringify(native));
  const session = await startEditor({
    vsix: [await packageExtension(), await idleExtension(scratch)],
    settings: {
      'mcpBridge.servers': { everything: { ...everything, confirm: 'never' } },
      'chat.mcp.autostart': 'newAndOutdated',
    },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    await registeredTool(window, 'everything__echo');
    // The editor starts its own servers with the first message.
    const agent = await Agent.open(window);
    await agent.ask('Hello', { answers: [[{ text: 'Hi' }]] });
    // The editor makes the prefix from what the server calls itself.
    const nativeEcho = await window.waitFor(
      { what: "the editor's own echo tool", timeoutMs: 30_000 },
      (vscode) => vscode.lm.tools.find(({ name }) => /^mcp_(?!bridge).*_echo$/.test(name))?.name,
    );
    const samples = await window.evaluate(
      async (vscode, count: number, native: string) => {
        const names = ['idle__nothing', 'everything__echo', native];
        const times: Record<string, number[]> = {};
        for (let round = -20; round < count; round++) {
          for (const name of names) {
            const startedAt = performance.now();
            await vscode.lm.invokeTool(name, {
              input: { message: 'x' },
              toolInvocationToken: undefined,
            });
            if (round >= 0) (times[name] ??= []).push(performance.now() - startedAt);
          }
        }
        return times;
      },
      rounds,
      nativeEcho,
    );
    const row = (what: string, name: string): Row => ({ what, samples: samples[name] ?? [] });
    report('vscode.lm.invokeTool', row('extension tool that does nothing', 'idle__nothing'), [
      row('MCP Bridge, echo over stdio', 'everything__echo'),
      row("the editor's own MCP support, the same", nativeEcho),
    ]);
  } finally {
    await session.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What `activate` itself says it took, in a window of its own. */
async function benchActivation(what: string, servers: object): Promise<void> {
  await using workspace = await Workspace.create();
  const session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': servers },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    for (let round = 0; round < 3; round++) {
      await window.waitFor(
        'the activation of the bridge',
        (vscode) => vscode.extensions.getExtension('mcp-bridge.mcp-bridge')?.isActive,
      );
      if (round < 2) await window.reload();
    }
    const logs = await session.logFiles(/MCP Bridge\.log$/);
    const texts = await Promise.all(logs.map((file) => readFile(file, 'utf8')));
    const times = texts.join('\n').matchAll(/activated in ([\d.]+) ms/g);
    console.log(`\nactivate, ${what}: ${[...times].map(([, time]) => `${time} ms`).join(', ')}`);
  } finally {
    await session.close();
  }
}

await benchSession();
await benchActivation('no server', {});
await benchActivation('one server, its tools from the last session', { everything });
await benchEditor();
