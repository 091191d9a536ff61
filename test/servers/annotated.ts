// Tools with titles and hints of every kind, and one whose name is markup; each answers with the arguments it got.
import { serve, textResult, type Params } from './jsonRpc.ts';

const tool = (name: string, members: Params = {}): Params => ({
  name,
  description: `Tool ${name}.`,
  inputSchema: { type: 'object', properties: { path: {}, content: {} } },
  ...members,
});

serve({
  requests: {
    'tools/list': () => ({
      tools: [
        tool('files/write', { title: 'Write File' }),
        tool('look', { annotations: { readOnlyHint: true } }),
        tool('wipe', { annotations: { destructiveHint: true } }),
        tool('run'),
        tool('[click](https://evil.example)', {
          title:
            '![pixel](https://evil.example/p.png) $(warning) <b>trusted</b> https://evil.example',
        }),
      ],
    }),
    'tools/call': ({ name, arguments: args }) =>
      textResult(`${String(name)} got ${JSON.stringify(args)}`),
  },
});
