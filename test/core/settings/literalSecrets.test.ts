import assert from 'node:assert/strict';
import { test } from 'node:test';
import { literalSecrets } from '../../../src/core/settings/literalSecrets.ts';

const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5';
const jwt = `eyJ${letters}.eyJ${letters}.${letters}`;

const secrets: readonly (readonly [entry: object, path: string, value: string])[] = [
  [{ env: { GH: `ghp_${letters}` } }, 'env.GH', `ghp_${letters}`],
  [{ env: { X: `github_pat_${letters}` } }, 'env.X', `github_pat_${letters}`],
  [{ env: { OPENAI: `sk-proj-${letters}` } }, 'env.OPENAI', `sk-proj-${letters}`],
  [{ env: { S: 'xoxb-1234567890-abcdefghij' } }, 'env.S', 'xoxb-1234567890-abcdefghij'],
  [{ env: { AWS: 'AKIAIOSFODNN7ABCDEFG' } }, 'env.AWS', 'AKIAIOSFODNN7ABCDEFG'],
  [{ headers: { Authorization: `Bearer ${letters}` } }, 'headers.Authorization', letters],
  [
    { headers: { Authorization: 'Bearer lowercaseonly' } },
    'headers.Authorization',
    'lowercaseonly',
  ],
  [{ headers: { 'X-Auth': `token ${letters}` } }, 'headers.X-Auth', letters],
  [{ headers: { Cookie2: jwt } }, 'headers.Cookie2', jwt],
  [{ headers: { 'x-api-key': letters } }, 'headers.x-api-key', letters],
  [{ env: { DB_PASSWORD: 'hunter2' } }, 'env.DB_PASSWORD', 'hunter2'],
  [{ env: { apiKey: letters } }, 'env.apiKey', letters],
  [{ args: ['--token', letters] }, 'args.1', letters],
  [{ args: [`--api-key=${letters}`] }, 'args.0', letters],
  [{ args: ['run', `ghp_${letters}`] }, 'args.1', `ghp_${letters}`],
  [{ url: `https://h.test/mcp?api_key=${letters}` }, 'url', letters],
  [{ url: 'https://u:pa55word@h.test/' }, 'url', 'pa55word'],
];

test('secrets written out are found, with their place and without what stands around them', () => {
  assert.deepEqual(
    secrets.map(([entry]) =>
      literalSecrets(entry).map(({ path, value }) => [path.join('.'), value]),
    ),
    secrets.map(([, path, value]) => [[path, value]]),
  );
});

const harmless: readonly object[] = [
  { env: { TOKEN: '${env:TOKEN}', KEY: '${secret:key}', P: 'pre-${input:x}' } },
  { headers: { Authorization: 'Bearer ${env:TOKEN}' } },
  { headers: { Authorization: 'Bearer YOUR_TOKEN_HERE' } },
  { env: { API_KEY: '<your-api-key>', GITHUB_TOKEN: 'changeme', SECRET: '' } },
  { env: { PASSWORD: 'example', TOKEN_FILE: '/run/secrets/token', KEY_PATH: '/home/u/.ssh/id' } },
  { env: { NODE_ENV: 'production', PORT: '8080', DEBUG: 'true', LOG_LEVEL: 'info' } },
  { env: { KEYBOARD: 'qwertyUIOP12345', MONKEY: 'BananaBanana123', TOKENIZER: 'cl100kBaseBase' } },
  {
    env: { PUBLIC_KEY: letters, PARTITION_KEY: letters, MAX_TOKENS: '128000', CACHE_KEY: letters },
  },
  { args: ['-y', '@modelcontextprotocol/server-everything@2026.8.31', '--port', '8080'] },
  { args: ['--key', 'name'], command: '/opt/App2/srv' },
  { url: 'https://h.test/mcp?page=2&session=aB3dE5gH7jK9mN' },
  { url: 'https://h.test/0123456789abcdef0123456789abcdef/mcp' },
  { env: { GIT_SHA: '0123456789abcdef0123456789abcdef01234567' } },
  { env: { UUID: '550e8400-e29b-41d4-a716-446655440000', TOKEN: 5 } },
  { headers: { 'User-Agent': 'mcp-bridge/1.0', Accept: 'application/json, text/event-stream' } },
];

test('what is no secret is left alone', () => {
  assert.deepEqual(
    harmless.map((entry) => literalSecrets(entry)),
    harmless.map(() => []),
  );
});

test('what is no entry holds none', () => {
  for (const entry of [null, [], 'x', { env: [], args: 'x', url: 5 }]) {
    assert.deepEqual(literalSecrets(entry), []);
  }
});
