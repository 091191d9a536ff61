// Resources on two pages, broken entries among them, templates and prompts with completion. `grow` adds a resource.
import { RpcError, anyTool, serve, textResult, type Params } from './jsonRpc.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNkYPhfz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC';

const resources: Params[] = [
  {
    uri: 'note://guide',
    name: 'guide',
    title: 'The <b>Guide</b> $(zap)',
    description: 'How to [begin](command:x).',
    mimeType: 'text/markdown',
    size: 12,
  },
  { name: 'no uri' },
  { uri: 'note://pixel', name: 'pixel', mimeType: 'image/png' },
  { uri: 5, name: 'bad uri' },
  { uri: 'note://both', name: 'two contents', title: 7, size: -1 },
];
const contents: Readonly<Record<string, readonly Params[]>> = {
  'note://guide': [
    { uri: 'note://guide', mimeType: 'text/markdown', text: '# Guide\n\nBegin here.' },
  ],
  'note://pixel': [{ uri: 'note://pixel', mimeType: 'image/png', blob: pixel }],
  'note://both': [
    { uri: 'note://both/1', text: 'one' },
    { uri: 'note://both/2', text: 'two' },
  ],
};
const topics = ['alpha', 'beta', 'betamax'];
const places: Readonly<Record<string, readonly string[]>> = {
  alpha: ['Aachen', 'Ankara'],
  beta: ['Berlin', 'Bern'],
};

/** 60 KB in 2,000 lines. */
const longText = {
  type: 'text',
  text: Array.from(
    { length: 2000 },
    (_value, index) => `Line ${index} of a long prompt, #x @y`,
  ).join('\n'),
};

const notify = serve({
  capabilities: {
    tools: {},
    resources: { listChanged: true },
    prompts: { listChanged: true },
    completions: {},
  },
  requests: {
    'tools/list': () => ({ tools: [anyTool('grow')] }),
    'tools/call': () => {
      const uri = `note://extra/${resources.length}`;
      resources.push({ uri, name: `extra ${resources.length}` });
      notify('notifications/resources/list_changed');
      return textResult(uri);
    },
    'resources/list': ({ cursor }) =>
      cursor === undefined
        ? { resources: resources.slice(0, 3), nextCursor: 'rest' }
        : { resources: resources.slice(3) },
    'resources/templates/list': () => ({
      resourceTemplates: [
        {
          uriTemplate: 'topic://{topic}/notes{?limit}',
          name: 'topic',
          title: 'Notes on a topic',
          description: 'All notes on one topic.',
          mimeType: 'text/plain',
        },
        { uriTemplate: 'broken://{', name: 'broken' },
        { uriTemplate: 'broken://{a b}', name: 'broken' },
      ],
    }),
    'resources/read': ({ uri }) => {
      const found = contents[String(uri)];
      if (found !== undefined) return { contents: found };
      const topic = /^topic:\/\/([^/]+)\/notes/.exec(String(uri))?.[1];
      if (topic === undefined) throw new RpcError(-32_002, 'Resource not found');
      return { contents: [{ uri, mimeType: 'text/plain', text: `Notes on ${topic}.` }] };
    },
    'prompts/list': () => ({
      prompts: [
        {
          name: 'report',
          title: 'Write a report',
          description: 'A report on a topic at a place.',
          arguments: [
            { name: 'topic', title: 'Topic', description: 'What it is about', required: true },
            { name: 'place', required: true },
            { name: 'tone' },
          ],
        },
        { name: 'hello' },
        { name: 'long' },
        { title: 'nameless' },
        { name: 'odd', arguments: [{ title: 'nameless' }] },
      ],
    }),
    'prompts/get': ({ name, arguments: args }) => {
      if (name === 'long') return { messages: [{ role: 'user', content: longText }] };
      if (name !== 'report') throw new RpcError(-32_602, `No prompt ${String(name)}`);
      const { topic, place, tone = 'plain' } = args as Record<string, string>;
      return {
        messages: [
          {
            role: 'user',
            content: {
              type: 'text',
              text: `Write a report.\n\nTopic: ${topic}\nPlace: ${place}\nTone: ${tone}\u202E\n\`\`\`js\nlet x = 1;\n\`\`\``,
            },
          },
          {
            role: 'user',
            content: { type: 'resource', resource: { uri: 'note://guide', text: 'Begin here.' } },
          },
        ],
      };
    },
    'completion/complete': ({ ref, argument, context }) => {
      const { name, value } = argument as { name: string; value: string };
      const known = (context as { arguments?: Record<string, string> } | undefined)?.arguments;
      const isOurs = ['topic', 'report'].some((word) => JSON.stringify(ref).includes(word));
      const all = name === 'topic' ? topics : (places[known?.['topic'] ?? ''] ?? []);
      const values = isOurs ? all.filter((word) => word.startsWith(value)) : [];
      return { completion: { values: [...values, ...values, 5], hasMore: false } };
    },
  },
});
