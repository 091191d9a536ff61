import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BridgeError,
  callTimedOut,
  commandNotFound,
  connectionLost,
  directoryMissing,
  exitText,
  exitedDuringStart,
  serverUnavailable,
  spawnRefused,
  gaveUpDuringStart,
  inputBlocked,
  spawnDelayed,
  startTimedOut,
  toBridgeError,
} from '../../src/core/failures.ts';
import { shortHash } from '../../src/core/hash.ts';
import { redactor } from '../../src/core/redact.ts';

const exit = { code: 3, signal: null };

const sentences: readonly (readonly [
  error: BridgeError,
  code: string,
  words: readonly string[],
])[] = [
  [commandNotFound('npx', '/bin'), 'spawnFailed', ['"npx" was not found', '/bin', 'full path']],
  [commandNotFound('/x', undefined), 'spawnFailed', ['"/x" was not found', 'Correct the path']],
  [commandNotFound('npx', '/bin', true), 'spawnFailed', ['/bin', 'your login shell']],
  [spawnRefused('x', 'EACCES'), 'spawnFailed', ['"x" could not be run', 'EACCES']],
  [spawnDelayed('x', 'no room', 'Wait'), 'noResources', ['"x" could', 'no room. Wait; it will']],
  [gaveUpDuringStart('it sang'), 'handshakeFailed', ['not ready yet: it sang.']],
  [inputBlocked(16 * 1024 * 1024), 'connectionLost', ['does not read', '16 MiB', 'was not']],
  [directoryMissing('/no'), 'spawnFailed', ['"/no" does not exist', '"cwd"']],
  [
    exitedDuringStart(exit, ' no key \n'),
    'handshakeFailed',
    ['exit code 3', 'before it was ready', 'no key'],
  ],
  [exitedDuringStart(exit, ''), 'handshakeFailed', ['exit code 3', 'nothing to stderr']],
  [startTimedOut(5, 'waiting'), 'timedOut', ['5 s', '"timeouts.connect"', 'waiting']],
  [
    callTimedOut('srv', 'tool', 9, 'timeouts.call'),
    'timedOut',
    ['"tool"', '"srv"', '9 s', 'cancelled', 'may have taken effect', '"timeouts.call"'],
  ],
  [
    connectionLost('srv', 'tool', 'signal SIGKILL'),
    'connectionLost',
    ['"srv"', '"tool"', 'signal SIGKILL', 'unknown', 'not repeated'],
  ],
  [serverUnavailable('srv', 'it is off.'), 'stopped', ['"srv"', 'it is off.', 'not made']],
];

test('every failure says what happened, to whom, and what to do', () => {
  assert.deepEqual(
    sentences.map(([error, , words]) => ({
      code: error.code,
      missing: words.filter((word) => !error.message.includes(word)),
      isSentence: /^[A-Z].*[.\w…]$/s.test(error.message),
    })),
    sentences.map(([, code]) => ({ code, missing: [], isSentence: true })),
  );
});

test('every failure has a few words for a label', () => {
  assert.deepEqual(
    [
      commandNotFound('npx', '/bin').summary,
      exitedDuringStart(exit, 'no key').summary,
      startTimedOut(5, '').summary,
      new BridgeError('stopped', 'It was not found, e.g. here. Look there.').summary,
      new BridgeError('stopped', 'x'.repeat(500)).summary,
    ],
    [
      'command not found: npx',
      'ended with exit code 3',
      'no answer within 5 s',
      'It was not found, e.g.',
      `${'x'.repeat(119)}…`,
    ],
  );
});

test('the end of long last words is kept, and cut between characters', () => {
  const { message } = exitedDuringStart(exit, `${'🎉'.repeat(1000)}x the reason`);
  assert.ok(message.isWellFormed() && message.endsWith('the reason') && message.length < 800);
});

test('a process ends with a code or by a signal', () => {
  assert.deepEqual(
    [exit, { code: null, signal: 'SIGTERM' }, { code: null, signal: null }].map(exitText),
    ['exit code 3', 'signal SIGTERM', 'exit code unknown'],
  );
});

test('a foreign error keeps its message and becomes the cause', () => {
  const foreign = new Error('socket hang up');
  const own = new BridgeError('stopped', 'Stopped.');
  const wrapped = toBridgeError(foreign, 'protocol', 'The call failed');
  assert.deepEqual(
    [wrapped.code, wrapped.message, wrapped.cause, toBridgeError(own, 'protocol', 'x')],
    ['protocol', 'The call failed: socket hang up', foreign, own],
  );
});

test('values of the environment and of headers are masked wherever they turn up', () => {
  const stdio = redactor({
    type: 'stdio',
    command: 'x',
    args: [],
    env: { KEY: 'sk-AAA111', LONGER: 'sk-AAA111-and-more', SHORT: 'yes', GONE: null },
  });
  const http = redactor({
    type: 'http',
    url: 'https://a.test',
    headers: { Authorization: 'Bearer be-EEE555', 'X-Key': 'hk-DDD444' },
  });
  assert.deepEqual(
    [
      stdio('bad key sk-AAA111, (sk-AAA111-and-more) yes'),
      http('got be-EEE555 and "Bearer be-EEE555" and hk-DDD444'),
      redactor({ type: 'sse', url: 'https://a.test/?key=qk-FFF666', headers: {} })(
        '?key=qk-FFF666',
      ),
      redactor({ type: 'sse', url: 'https://a.test', headers: {} })('nothing to hide'),
    ],
    ['bad key •••, (•••) yes', 'got ••• and "•••" and •••', '?key=•••', 'nothing to hide'],
  );
});

test('a hash is the beginning of the SHA-256 of the text in UTF-8', () => {
  assert.deepEqual(
    [shortHash('', 8), shortHash('abc', 64), shortHash('\ud83d', 8) === shortHash('\ufffd', 8)],
    ['e3b0c442', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', true],
  );
});
