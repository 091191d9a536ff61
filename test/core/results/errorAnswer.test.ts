import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorAnswer, type ErrorAnswer } from '../../../src/core/results/errorAnswer.ts';

const answers: readonly (readonly [answer: ErrorAnswer, code: string, message: string])[] = [
  [
    { code: -32_602, message: 'limit must be <= 100' },
    'invalidArguments',
    'The MCP server "s" did not accept the arguments of "t": limit must be <= 100. Correct the arguments and call it again.',
  ],
  [
    { code: -32_602, message: 'Bad!', data: { path: 'limit' } },
    'invalidArguments',
    'The MCP server "s" did not accept the arguments of "t": Bad! ({"path":"limit"}) Correct the arguments and call it again.',
  ],
  [
    { code: -32_602, message: 'Unknown tool: t' },
    'toolUnknown',
    'The MCP server "s" does not know the tool "t" any more: Unknown tool: t. The call was not carried out, and calling it again will not help.',
  ],
  [
    { code: -32_602, message: 'Tool t not found' },
    'toolUnknown',
    'The MCP server "s" does not know the tool "t" any more: Tool t not found. The call was not carried out, and calling it again will not help.',
  ],
  [
    { code: -32_601, message: '', data: {} },
    'toolUnknown',
    'The MCP server "s" does not know the tool "t" any more: it gave no reason. The call was not carried out, and calling it again will not help.',
  ],
  [
    { code: -32_603, message: 'disk \u202Efull', data: 'at /dev/sda' },
    'protocol',
    'The MCP server "s" answered the call of "t" with an error: disk \\u{202E}full. (at /dev/sda) Whether the call had any effect is not known: check before calling it again.',
  ],
  [
    { code: -32_042, message: 'Sign in', data: { elicitations: [{ url: 'https://x/in' }] } },
    'protocol',
    'The MCP server "s" wants the user to open a page before it runs "t": Sign in. ({"elicitations":[{"url":"https://x/in"}]}) The call was not carried out. Give the user the address, and call the tool again when they are done.',
  ],
];

test('an error of a server says what to do', () => {
  assert.deepEqual(
    answers.map(([answer]) => {
      const { code, message } = errorAnswer('s', 't', answer);
      return { code, message };
    }),
    answers.map(([, code, message]) => ({ code, message })),
  );
});

test('the words and the data of an error are bounded', () => {
  const { message } = errorAnswer('s', 't', {
    code: 1,
    message: 'm'.repeat(100_000),
    data: { stack: 'd'.repeat(100_000) },
  });
  assert.ok(message.length < 9300 && message.length > 9000, String(message.length));
});
