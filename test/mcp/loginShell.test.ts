import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { LoginShell } from '../../src/mcp/loginShell.ts';
import { spawnServer } from '../../src/mcp/serverProcess.ts';
import { shutDown } from '../../src/mcp/processShutdown.ts';
import { eventually } from '../support/eventually.ts';
import { isRunning, ProcessMark } from '../support/processes.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';

const home = mkdtempSync(join(tmpdir(), 'mcp-bridge-'));
after(() => rmSync(home, { recursive: true }));

const bin = join(home, 'own bin');
const write = (name: string, text: string, mode = 0o600): string => {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
  return path;
};
const host = { HOME: home, PATH: '/usr/bin:/bin', SECRET: 'x' };

const posixFile = `echo "welcome, have some / news"
echo x >> "$HOME/asked"
export PATH="${bin}:$PATH"
read answer
echo noise >&2
`;
write('.profile', posixFile);
write('.zprofile', posixFile);
write('.zshrc', 'echo "from the other file"; export PATH="$PATH:/from/zshrc"\n');
write(
  '.config/fish/config.fish',
  `echo welcome\nset -gx PATH "${bin}" $PATH\nfunction fish_greeting; echo hello; end\n`,
);

const shells: readonly (readonly [shell: string, path: string])[] = [
  ['/bin/sh', `${bin}:/usr/bin:/bin`],
  ['/bin/bash', `${bin}:/usr/bin:/bin`],
  ['/usr/bin/zsh', `${bin}:/usr/bin:/bin:/from/zshrc`],
  ['/usr/bin/fish', `${bin}:/usr/bin:/bin`],
];

for (const [shell, expected] of shells) {
  test(`${shell} tells the PATH its start files make`, async (context) => {
    if (!existsSync(shell)) return context.skip('not installed');
    const seen = await new LoginShell({ ...host, SHELL: shell }).path();
    // The files of the machine may have put more into it, or begun anew.
    const entries = seen?.split(delimiter) ?? [];
    const wanted = expected.split(delimiter);
    assert.deepEqual(
      wanted.filter((entry) => !entries.includes(entry)),
      [],
      seen,
    );
    assert.equal(entries[0], bin);
  });
}

test('a shell is asked once', async () => {
  writeFileSync(join(home, 'asked'), '');
  const shell = new LoginShell({ ...host, SHELL: '/bin/sh' });
  assert.equal(
    new Set([await shell.path(), ...(await Promise.all([shell.path(), shell.path()]))]).size,
    1,
  );
  assert.equal(readFileSync(join(home, 'asked'), 'utf8'), 'x\n');
});

const useless: Readonly<Record<string, string>> = {
  'ends at once': 'exit 1',
  'prints something else': 'echo PATH=/a:/b',
  'ends in the middle of its answer': 'for last; do :; done; set -- $last; printf "%s/a:/b" "$6"',
  'prints without end': 'while :; do echo "no end in sight"; done',
  'never ends': `sleep 60 & echo $! >> '${home}/pids'; sleep 60`,
};

for (const [what, script] of Object.entries(useless)) {
  test(`a shell that ${what} costs a bounded time and leaves nothing`, async () => {
    const SHELL = write(`shell ${what}`, `#!/bin/sh\necho $$ > '${home}/pids'\n${script}\n`, 0o700);
    const startedAt = performance.now();
    assert.equal(await new LoginShell({ ...host, SHELL }, 1000).path(), undefined);
    assert.ok(performance.now() - startedAt < 3000);
    const pids = readFileSync(join(home, 'pids'), 'utf8').trim().split('\n').map(Number);
    await eventually('they are gone', () => !pids.some(isRunning));
  });
}

test('no shell, no answer', async () => {
  for (const SHELL of ['/no/such/shell', 'sh', home]) {
    assert.equal(await new LoginShell({ ...host, SHELL }).path(), undefined);
  }
});

// A program as package managers of languages write them: it needs another one, which is found in PATH only.
write(
  'own bin/own-server',
  '#!/usr/bin/env own-node\nprocess.stdout.write(process.env.PATH);\n',
  0o700,
);
symlinkSync(process.execPath, join(bin, 'own-node'));

interface Run {
  readonly output: string;
  readonly log: string;
  readonly error: string;
}

async function run(command: string, env: Record<string, string> = {}): Promise<Run> {
  const log = new RecordingLogger();
  const mark = new ProcessMark();
  const { signal } = new AbortController();
  const loginShell = new LoginShell({ ...host, SHELL: '/bin/sh' });
  const launch = {
    type: 'stdio',
    command,
    args: [],
    cwd: home,
    env: { ...mark.env, ...env },
  } as const;
  let output = '';
  let error = '';
  try {
    const child = await spawnServer(launch, { log, signal, loginShell });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.resume();
    try {
      await eventually('output', () => output !== '');
    } finally {
      await shutDown(child);
    }
  } catch (failure: unknown) {
    error = (failure as Error).message;
  }
  await mark.assertGone();
  return { output, log: log.text, error };
}

test('a command that only the login shell finds runs with the PATH of that, and so does what it needs', async () => {
  const { output, log, error } = await run('own-server');
  assert.equal(error, '');
  const entries = output.split(delimiter);
  assert.equal(entries[0], bin);
  // What the editor has in its PATH stays in it.
  for (const entry of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    assert.ok(entries.includes(entry), entry);
  }
  assert.match(log, /info: "own-server" is not in the PATH of the editor: asking the login shell/);
  assert.match(
    log,
    /info: found .*own bin\/own-server: the server gets the PATH of the login shell/,
  );
});

test('a command that is not found there either is told with the PATH it was looked for in', async () => {
  const { error } = await run('no-such-server');
  assert.match(error, /was looked for in PATH, that of your login shell included: /);
  assert.ok(error.includes('/usr/bin'));
});

test('a PATH of the entry itself is the last word, and so is one that is found in', async () => {
  writeFileSync(join(home, 'asked'), '');
  for (const path of ['/nowhere', process.env['PATH'] ?? '']) {
    const { error } = await run('own-server', { PATH: path });
    assert.match(error, /was looked for in PATH: /);
  }
  assert.match((await run('./no/such')).error, /Correct the path/);
  assert.match((await run('env')).output, /^PATH=/m);
  assert.equal(readFileSync(join(home, 'asked'), 'utf8'), '');
});
