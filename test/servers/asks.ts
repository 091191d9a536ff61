// Asks the client something during each call, and gives back what it was answered.
import { createInterface } from 'node:readline';
import process from 'node:process';
import { anyTool } from './jsonRpc.ts';

const questions: Readonly<Record<string, readonly [method: string, params: object]>> = {
  roots: ['roots/list', {}],
  form: [
    'elicitation/create',
    {
      message: 'Who are you?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
      },
    },
  ],
  nested: [
    'elicitation/create',
    {
      message: 'All of it?',
      requestedSchema: { type: 'object', properties: { a: { type: 'object' } } },
    },
  ],
  file: ['elicitation/create', { mode: 'url', message: 'x', url: 'file:///x', elicitationId: '1' }],
  link: [
    'elicitation/create',
    { mode: 'url', message: 'x', url: 'https://a.example/x', elicitationId: '1' },
  ],
  model: [
    'sampling/createMessage',
    {
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hi.' } }],
      maxTokens: 7,
      modelPreferences: { hints: [{ name: 'gpt' }] },
    },
  ],
  image: [
    'sampling/createMessage',
    {
      messages: [{ role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } }],
      maxTokens: 7,
    },
  ],
  unknown: ['vendor/unknown', {}],
};

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly protocolVersion?: string };
}

const send = (message: object): void => {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message;
  const { id, method, params } = message;
  if (method === undefined) {
    // The question has the id of its call.
    const text = JSON.stringify({ ...message, id: undefined, jsonrpc: undefined });
    send({ id: Number(String(id).slice(1)), result: { content: [{ type: 'text', text }] } });
  } else if (method === 'initialize') {
    send({
      id,
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'asks', version: '1' },
      },
    });
  } else if (method === 'tools/list') {
    send({ id, result: { tools: Object.keys(questions).map(anyTool) } });
    // Out of the blue: no call runs.
    const [asked, about] = questions['form'] ?? [];
    send({ id: 'q0', method: asked, params: about });
  } else if (method === 'tools/call') {
    const [asked, about] = questions[params?.name ?? ''] ?? [];
    send({ method: 'notifications/message', params: { level: 'warning', data: 'calling' } });
    send({ id: `q${id}`, method: asked, params: about });
  } else if (method === 'notifications/roots/list_changed') {
    process.stderr.write('roots changed\n');
  }
});
