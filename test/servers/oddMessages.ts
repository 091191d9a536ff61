// A server whose messages are odd: nested without end, of no known form, or written in pieces. The first argument `deep` nests its tools too.
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { Random } from '../support/random.ts';
import { anyTool, noAnswer, serve, textResult, type Handler } from './jsonRpc.ts';

const isDeep = process.argv[2] === 'deep';

/** JSON text of lists in lists: this deep, nothing that recurses survives. */
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const nestedObjects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

/** Written without JSON.stringify, which cannot. */
const raw = (members: string): boolean => process.stdout.write(`{"jsonrpc":"2.0",${members}}\n`);

const odd = [
  ...['null', '[]', '{}', '0', '"text"', '[{"jsonrpc":"2.0"}]', '{"jsonrpc":"2.0"}', '{"id":1}'],
  ...['"id":null', '"id":{}', '"id":[1]', '"id":1e99', '"id":1.5', '"id":true', '"id":""'].flatMap(
    (id) => [
      `{"jsonrpc":"2.0",${id},"result":{}}`,
      `{"jsonrpc":"2.0",${id},"error":5}`,
      `{"jsonrpc":"2.0",${id},"method":"ping"}`,
      `{"jsonrpc":"2.0",${id}}`,
    ],
  ),
  ...[
    '5',
    'null',
    '[]',
    '{}',
    '""',
    '"no/such"',
    '"__proto__"',
    '"notifications/progress"',
  ].flatMap((method) => [
    `{"jsonrpc":"2.0","method":${method}}`,
    `{"jsonrpc":"2.0","method":${method},"params":null}`,
    `{"jsonrpc":"2.0","method":${method},"params":[1]}`,
    `{"jsonrpc":"2.0","id":77,"method":${method},"params":{"__proto__":1}}`,
  ]),
  ...['progress', 'cancelled', 'message', 'tools/list_changed', 'elicitation/complete'].flatMap(
    (name) => [
      `{"jsonrpc":"2.0","method":"notifications/${name}","params":{}}`,
      `{"jsonrpc":"2.0","method":"notifications/${name}","params":{"progressToken":1,"progress":"x"}}`,
      `{"jsonrpc":"2.0","method":"notifications/${name}","params":{"level":"loud","data":{}}}`,
    ],
  ),
  ...['sampling/createMessage', 'elicitation/create', 'roots/list'].map(
    (method) => `{"jsonrpc":"2.0","id":"q","method":"${method}","params":{"messages":5}}`,
  ),
];

const tools: Readonly<Record<string, Handler>> = {
  echo: ({ arguments: args }) => textResult(JSON.stringify(args)),
  /** Everything there is of oddities, in an order that the seed decides; then the answer. */
  oddities: ({ arguments: args }) => {
    const { seed } = args as { seed: number };
    for (const line of new Random(seed).shuffled(odd)) process.stdout.write(`${line}\n`);
    return textResult(JSON.stringify(args));
  },
  deep: ({ arguments: args }, { id, progressToken }) => {
    const token = JSON.stringify(progressToken ?? null);
    const own = `"id":${JSON.stringify(id)}`;
    const answer = `${own},"result":{"content":[{"type":"text","text":"ok"}]`;
    switch ((args as { where: string }).where) {
      case 'structuredContent':
        return raw(`${answer},"structuredContent":{"a":${nested}}}`) && noAnswer;
      case 'meta':
        return raw(`${answer},"_meta":${nestedObjects}}`) && noAnswer;
      case 'content':
        return raw(`${own},"result":{"content":[${nested},${nestedObjects}]}`) && noAnswer;
      case 'result':
        return raw(`${own},"result":${nested}`) && noAnswer;
      case 'error':
        return raw(`${own},"error":{"code":1,"message":"no","data":${nested}}`) && noAnswer;
      case 'message of error':
        return raw(`${own},"error":${nestedObjects}`) && noAnswer;
      case 'text':
        return textResult(nested);
      default:
        raw(`"method":"notifications/message","params":{"level":"info","data":${nested}}`);
        raw(
          `"method":"notifications/progress","params":{"progressToken":${token},"progress":1,"a":${nested}}`,
        );
        raw(`"id":"deep","method":"roots/list","params":{"_meta":${nestedObjects}}`);
        return textResult('ok');
    }
  },
  /** The answer comes in pieces, cut anywhere, with the ends of lines of another system. */
  pieces: async ({ arguments: args }, { id }) => {
    const random = new Random((args as { seed: number }).seed);
    const text = `\uFEFF${JSON.stringify({ jsonrpc: '2.0', id, result: textResult(JSON.stringify(args)) })}\r\n`;
    let rest = Buffer.from(text);
    while (rest.length > 0) {
      const length = 1 + random.below(40);
      process.stdout.write(rest.subarray(0, length));
      rest = rest.subarray(length);
      if (random.below(3) === 0) await turn();
    }
    return noAnswer;
  },
};

serve({
  capabilities: { tools: {}, logging: {} },
  requests: {
    'tools/list': (_params, { id }) => {
      if (!isDeep) return { tools: Object.keys(tools).map(anyTool) };
      const schema = `{"type":"object","properties":{"a":${nestedObjects}}}`;
      const bad = `{"name":"bad","inputSchema":${schema},"_meta":${nested}}`;
      raw(
        `"id":${JSON.stringify(id)},"result":{"tools":[${bad},${JSON.stringify(anyTool('echo'))}]}`,
      );
      return noAnswer;
    },
    'tools/call': (params, context) => tools[String(params['name'])]?.(params, context),
  },
});
