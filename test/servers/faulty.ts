// A server that goes wrong when told to: the first argument chooses how its lists are, the tool called what happens.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { anyTool, noAnswer, serve, textResult, type Handler, type Params } from './jsonRpc.ts';

const mode = process.argv[2] ?? 'plain';
const mebibyte = 1024 * 1024;
let pages = 0;
let reads = 0;
let version = 0;

const raw = (text: string): boolean => process.stdout.write(text);
const answer = (id: unknown, result: unknown): boolean =>
  raw(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

const tools: Readonly<Record<string, Handler>> = {
  echo: ({ arguments: args }) => textResult(JSON.stringify(args)),
  late: async ({ arguments: args }) => {
    await pause((args as { after: number }).after);
    return textResult(JSON.stringify(args));
  },
  hang: () => noAnswer,
  junk: ({ arguments: args }) => {
    const { lines } = args as { lines: number };
    for (let line = 0; line < lines; line++) raw(`no message ${line} {"a":\n`);
    return textResult('after the junk');
  },
  floodStdout: () => {
    spawn('yes', ['no message'], { stdio: ['ignore', 'inherit', 'ignore'] });
    return noAnswer;
  },
  floodStderr: () => {
    spawn('yes', { stdio: ['ignore', 'ignore', 'inherit'] });
    return textResult('it has begun');
  },
  huge: ({ arguments: args }, { id }) => {
    const length = (args as { mebibytes: number }).mebibytes * mebibyte;
    raw(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
    raw('😀'.repeat(length / 4));
    raw('"}]}}\n');
    return noAnswer;
  },
  ids: ({ arguments: args }, { id }) => {
    for (const strange of [987_654, 'nobody', null, -1]) answer(strange, textResult('strange'));
    answer(String(id), textResult(JSON.stringify(args)));
    answer(id, textResult('a second answer'));
    return noAnswer;
  },
  storm: () => {
    for (let times = 0; times < 10_000; times++) notify('notifications/tools/list_changed');
    return textResult('ok');
  },
  nag: () => {
    version += 1;
    setInterval(() => notify('notifications/tools/list_changed'), 100);
    return textResult('ok');
  },
  counts: () => textResult(JSON.stringify({ pages, reads })),
};

const list: Handler = ({ cursor }) => {
  reads += 1;
  pages += 1;
  const own = [...Object.keys(tools), `version_${version}`, `process_${process.pid}`];
  const page: Params = { tools: own.map(anyTool) };
  if (mode === 'many') {
    return { tools: Array.from({ length: 5000 }, (_, number) => anyTool(`tool_${number}`)) };
  }
  if (mode === 'loop') return { tools: [anyTool(`tool_${pages}`)], nextCursor: 'again' };
  if (mode !== 'endless') return page;
  const number = cursor === undefined ? 1 : Number(cursor);
  return { tools: [anyTool(`tool_${number}`)], nextCursor: String(number + 1) };
};

// Dies of the first bytes of such a call, while the rest is still being written.
process.stdin.on('data', (chunk: Buffer) => {
  if (chunk.includes('"name":"die"')) process.kill(process.pid, 'SIGKILL');
});

const notify = serve({
  capabilities: { tools: { listChanged: true } },
  requests: {
    ...(mode === 'old' && {
      initialize: () => ({
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      }),
    }),
    'tools/list': list,
    'tools/call': (params, context) => {
      const tool = tools[String(params['name'])];
      return tool === undefined ? noAnswer : tool(params, context);
    },
  },
});
