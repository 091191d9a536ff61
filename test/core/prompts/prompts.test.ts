import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionValues } from '../../../src/core/prompts/completion.ts';
import { readPrompts } from '../../../src/core/prompts/promptDefinition.ts';
import { maxPromptText, promptText } from '../../../src/core/prompts/promptText.ts';

test('prompts are read one by one; what is broken costs only itself', () => {
  const { prompts, problems } = readPrompts([
    {
      name: 'p',
      title: 'P',
      description: 'd',
      arguments: [
        { name: 'a', title: 'A', description: 'x', required: true },
        { name: '__proto__' },
      ],
    },
    { name: 'bare', title: 5, description: {}, arguments: 'none' },
    { name: 'p', title: 'again' },
    { name: '' },
    { name: 'x'.repeat(257) },
    { name: 'odd', arguments: [null] },
    {
      name: 'many',
      arguments: Array.from({ length: 51 }, (_value, index) => ({ name: `a${index}` })),
    },
    null,
  ]);
  assert.deepEqual(
    { prompts, problems: problems.map(({ message }) => message.slice(0, 10)) },
    {
      prompts: [
        {
          name: 'p',
          title: 'P',
          description: 'd',
          arguments: [
            { name: 'a', title: 'A', description: 'x', required: true },
            { name: '__proto__', required: false },
          ],
        },
        { name: 'bare', arguments: [] },
      ],
      problems: ['5 left out'],
    },
  );
});

const user = (content: unknown) => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words });

const rendered: readonly (readonly [what: string, messages: unknown, shown: string])[] = [
  ['one message', [user(text('Do it.\n\nNow.'))], 'Do it.\n\nNow.'],
  ['several of the user', [user(text('One.')), user(text('Two.'))], 'One.\n\nTwo.'],
  [
    'a conversation',
    [user(text('Hi.')), { role: 'assistant', content: text('Yes?') }],
    '**User:**\n\nHi.\n\n**Assistant:**\n\nYes?',
  ],
  ['a list of contents', [user([text('One.'), text('Two.')])], 'One.\n\nTwo.'],
  ['a plain string', [user('Hi.')], 'Hi.'],
  ['no role', [{ content: text('Hi.') }], 'Hi.'],
  [
    'an image',
    [user({ type: 'image', mimeType: 'image/png', data: 'AA==' })],
    '[image, image/png: not taken over]',
  ],
  ['a link', [user({ type: 'resource_link', uri: 'a:1' })], '[resource a:1]'],
  ['an unknown type', [user({ type: 'video' })], '[content of the unknown type video]'],
  [
    'a resource',
    [user({ type: 'resource', resource: { uri: 'a:1', text: 'x\n````\ny' } })],
    'Resource a:1:\n\n`````\nx\n````\ny\n`````',
  ],
  [
    'a binary resource',
    [user({ type: 'resource', resource: { uri: 'a:1', blob: 'AA==', mimeType: 'a/b' } })],
    '[resource a:1, a/b: not taken over]',
  ],
  [
    'hidden characters',
    [user(text('a\u202Eb\u200Bc\u{E0041}d\u001B[31m\r\ne\tf'))],
    'a\\u{202E}b\\u{200B}c\\u{E0041}d\ne\tf',
  ],
  ['emoji and joined letters', [user(text('👩‍💻 ❤️ 1️⃣ می‌خواهم'))], '👩‍💻 ❤️ 1️⃣ می‌خواهم'],
  ['joiners between other letters', [user(text('a\u200Db \uFE0Fc'))], 'a\\u{200D}b ️c'],
  ['nothing', [], ''],
  ['no list', 'x', ''],
  ['broken members', [null, user(null), user({ type: 'text', text: 5 })], ''],
];

for (const [what, messages, shown] of rendered) {
  test(`a prompt with ${what}`, () => assert.equal(promptText({ messages }), shown));
}

test('a very long prompt is cut, and says so', () => {
  const long = promptText({ messages: [user(text('x'.repeat(maxPromptText + 5)))] });
  assert.match(long, /^x{200000}\n\n\[1 more characters left out\]$/);
});

test('suggestions are texts of usable length, each once', () => {
  const values = ['a', 'b', 'a', 5, '', null, 'x'.repeat(2000)];
  assert.deepEqual(
    [values, 'x', undefined].map((given) => completionValues({ completion: { values: given } })),
    [['a', 'b'], [], []],
  );
  const many = Array.from({ length: 500 }, (_value, index) => String(index));
  assert.equal(completionValues({ completion: { values: many } }).length, 100);
});
