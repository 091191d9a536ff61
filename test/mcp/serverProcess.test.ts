import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { spawnServer } from '../../src/mcp/serverProcess.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

const { signal } = new AbortController();
const log = new RecordingLogger();
const folder = mkdtempSync(join(tmpdir(), 'mcp-bridge-'));
writeFileSync(join(folder, 'noInterpreter'), '#!/no/such/interpreter\n', { mode: 0o755 });
after(() => rmSync(folder, { recursive: true }));

const launch = { type: 'stdio', command: 'node', args: [], env: {} } as const;

const failures: Readonly<Record<string, readonly [members: object, message: RegExp]>> = {
  'a command that does not exist': [
    { command: 'no-such-program', env: { PATH: '/nowhere' } },
    /^The command "no-such-program" was not found\. It was looked for in PATH: \/nowhere\. Install it, or write its full path in "command"\.$/,
  ],
  'a command that is no program': [
    { command: import.meta.filename },
    /^The command ".*serverProcess\.test\.ts" could not be run: it may not be executed \(EACCES\)\. Check .*\.$/,
  ],
  'a path that leads nowhere': [
    { command: './no/program' },
    /^The command "\.\/no\/program" was not found\. Correct the path\.$/,
  ],
  'a script whose interpreter does not exist': [
    { command: join(folder, 'noInterpreter') },
    /could not be run: the interpreter that its first line names does not exist \(ENOENT\)\./,
  ],
  'a directory': [{ command: folder }, /could not be run: it may not be executed \(EACCES\)\./],
  'arguments no system takes': [
    { args: ['x'.repeat(4 * 1024 * 1024)] },
    /could not be run: its arguments and environment are larger .* \(E2BIG\)\.$/,
  ],
  'a working directory that does not exist': [
    { cwd: '/no/such/folder' },
    /^The working directory "\/no\/such\/folder" does not exist\. Correct "cwd" or create the directory\.$/,
  ],
  'a working directory that is a file': [
    { cwd: import.meta.filename },
    /^The working directory ".*" does not exist\./,
  ],
  'an argument no program can get': [
    { args: ['a\0b'] },
    /^The command "node" could not be run: .*null bytes.*\.$/,
  ],
};

for (const [name, [members, message]] of Object.entries(failures)) {
  test(`${name} is told in a sentence`, async () => {
    await assert.rejects(spawnServer({ ...launch, cwd: tmpdir(), ...members }, { log, signal }), {
      name: 'BridgeError',
      code: 'spawnFailed',
      message,
    });
  });
}

test('nothing is started after the start was given up', async () => {
  const mark = new ProcessMark();
  await assert.rejects(spawnServer(launchOf('echo', mark), { log, signal: AbortSignal.abort() }), {
    name: 'AbortError',
  });
  await mark.assertGone();
});
