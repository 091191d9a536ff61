import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { childEnvironment } from '../../src/mcp/environment.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-'));
});
after(() => rm(folder, { recursive: true }));

const launch = { type: 'stdio', command: 'x', args: [], env: {} } as const;
const host = {
  PATH: '/bin',
  HOME: '/home/u',
  LANG: 'C',
  SECRET_TOKEN: 'host secret',
  NODE_OPTIONS: '--inspect',
  SHELL: '() { :; }; echo code',
};

test('T13 a server gets harmless variables of the host, and no other', async () => {
  assert.deepEqual(await childEnvironment(launch, host), {
    PATH: '/bin',
    HOME: '/home/u',
    LANG: 'C',
  });
});

test('the file is laid over the host, the entry over the file, and null removes', async () => {
  const envFile = join(folder, '.env');
  await writeFile(envFile, '# comment\nA=file\nB="two words"\nexport C=file\nPATH=/file\nD=1\n');
  const env = { A: 'entry', HOME: null, D: null, SECRET: 'ours', EMPTY: '' };
  assert.deepEqual(await childEnvironment({ ...launch, envFile, env }, host), {
    PATH: '/file',
    LANG: 'C',
    A: 'entry',
    B: 'two words',
    C: 'file',
    SECRET: 'ours',
    EMPTY: '',
  });
});

test('a byte order mark does not change the first name of the file', async () => {
  const envFile = join(folder, 'bom.env');
  await writeFile(envFile, '\ufeffA=1\r\nB=2\r\n');
  assert.deepEqual(await childEnvironment({ ...launch, envFile }, {}), { A: '1', B: '2' });
});

test('a file that cannot be read is named', async () => {
  const large = join(folder, 'large.env');
  await writeFile(large, 'A=1\n'.repeat(20_000));
  const files = [join(folder, 'none.env'), folder, large];
  for (const envFile of files) {
    await assert.rejects(childEnvironment({ ...launch, envFile }, {}), (error: Error) => {
      assert.ok(error.message.startsWith(`The "envFile" ${envFile} could not be read: `));
      return true;
    });
  }
});
