import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { auditLine } from '../../src/core/audit/auditLine.ts';
import { rewritten } from '../../src/base/log.ts';
import { KnownSecrets } from '../../src/core/redact.ts';
import { literalSecrets } from '../../src/core/settings/literalSecrets.ts';
import { parseSettings } from '../../src/core/settings/parseSettings.ts';
import {
  secretsInArguments,
  verdictForArguments,
  withoutSecrets,
} from '../../src/core/tools/argumentSecrets.ts';
import { approvalPlainText, approvalText } from '../../src/core/tools/approvalText.ts';
import { confirmVerdict } from '../../src/core/tools/confirmation.ts';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';

const github = `ghp_${'aB3d'.repeat(9)}`;
const held: readonly (readonly [kind: string, value: unknown])[] = [
  ['a GitHub token', github],
  ['a GitLab token', `glpat-${'aB3d'.repeat(5)}`],
  ['an API key', `sk-${'aB3d'.repeat(8)}`],
  ['a Slack token', 'xoxb-1234567890-abcdef'],
  ['an AWS access key', 'AKIAIOSFODNN7EXAMPL1'],
  ['an npm token', `npm_${'a'.repeat(36)}`],
  ['a Docker token', `dckr_pat_${'aB3d'.repeat(6)}`],
  ['a JSON Web Token', `eyJ${'a'.repeat(10)}.eyJ${'b'.repeat(10)}.${'c'.repeat(10)}`],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc'],
  ['a password in an address', 'postgres://me:hunter22@db.example/x'],
  ['a secret that you gave', 'mine: given-secret-value'],
];
const known = new KnownSecrets();
known.add('given-secret-value');
for (const [kind, value] of held) {
  test(`T52 a call that would send ${kind} is asked about, and it is not shown`, () => {
    const configuration = configurationOf('s', { confirm: 'never' });
    const [tool] = buildCatalog([serverOf(configuration, ['send'])]).tools.values();
    assert.ok(tool !== undefined);
    const args = { note: 'see below', deep: [{ text: `before ${String(value)} after` }] };
    assert.deepEqual(secretsInArguments(args, known), [kind]);
    const verdict = verdictForArguments(confirmVerdict(tool), args, known);
    assert.equal(verdict.asks, true);
    const shown = approvalPlainText(approvalText(tool, withoutSecrets(args, known), verdict));
    assert.ok(shown.includes(kind), shown);
    if (kind !== 'a private key' && kind !== 'a password in an address') {
      assert.ok(!shown.includes(String(value).slice(-12)), shown);
    }
  });
}

test('T52 ordinary arguments are not asked about, nor what is an ordinary word in a launch', () => {
  const mine = new KnownSecrets();
  mine.addLaunch({ type: 'stdio', command: 'x', args: [], env: { ROOT: '/home/me/project' } }, []);
  const args = { path: '/home/me/project/a.txt', url: 'https://example.test/a:b@c', text: 'sk-8' };
  assert.deepEqual(secretsInArguments(args, mine), []);
});

test('T10 a token that is written out in the settings is found, with its place', () => {
  const entry = { url: 'https://x.test', headers: { Authorization: `Bearer ${github}` } };
  assert.deepEqual(
    literalSecrets(entry).map(({ path, what }) => [path.join('.'), what]),
    [['headers.Authorization', 'a GitHub token']],
  );
});

const planted = Array.from({ length: 12 }, (_, index) => `pl4nted-${index}-Se+cret/${index}=`);
const encodings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in an address': (text) => encodeURIComponent(text),
};
for (const [how, encode] of Object.entries(encodings)) {
  test(`T63 of twelve secrets none is in a log or an audit log, ${how}`, () => {
    const secrets = new KnownSecrets();
    secrets.add(...planted);
    const log = new RecordingLogger();
    const masked = rewritten(log, secrets.mask);
    const lines = planted.map((secret) => {
      masked.info(`the server said ${encode(secret)}.`);
      return auditLine(
        {
          ...{ kind: 'call', server: 's', scope: 'user', tool: 't', exposedName: 's__t' },
          ...{ arguments: { [encode(secret)]: encode(secret) }, approval: 'rule' },
          ...{ outcome: 'result', duration: 1 },
        },
        { time: new Date(0), values: true, mask: secrets.mask },
      );
    });
    const text = [...log.lines, ...lines].join('\n');
    assert.deepEqual(
      planted.filter((secret) => text.includes(encode(secret))),
      [],
    );
  });
}

test('T62 what stands in an address or an envFile is in no error, state or log of a server that says it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-secrets-'));
  const envFile = join(folder, '.env');
  await writeFile(envFile, 'TOKEN=from-the-file-9876\n');
  await using supervised = new TestSupervisor();
  try {
    const script = "console.error('my token is ' + process.env.TOKEN); process.exit(3)";
    const args = ['-e', script];
    supervised.host.update([
      wantedOf('leaks', { type: 'stdio', command: process.execPath, args, env: {}, envFile }),
    ]);
    await eventually('the server to be in error', () => supervised.kind('leaks') === 'error');
    const { state } = supervised.server('leaks') ?? assert.fail();
    assert.ok(state.kind === 'error');
    const text = [state.message, state.summary, ...supervised.log.lines].join('\n');
    assert.match(text, /my token is •••/);
    assert.ok(!text.includes('from-the-file-9876'), text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a mistyped member of an entry is named, with what was meant', () => {
  const { problems } = parseSettings([
    {
      origin: { scope: 'user' },
      value: {
        x: { command: 'a', comand: 'b', Args: [], autoApprove: [], descripton: '', xyz: 1 },
      },
    },
  ]);
  assert.deepEqual(
    problems.map(
      ({ where, message }) => `${where} ${/Did you mean "(\w+)"/.exec(message)?.[1] ?? '?'}`,
    ),
    ['x.comand command', 'x.Args args', 'x.descripton ?', 'x.xyz ?'],
  );
});
