import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, symlink, utimes, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { RotatedFile, type RotatedFileOptions } from '../../src/storage/rotatedFile.ts';

let folder: string;
let errors: unknown[];
const fileOf = (members: Partial<RotatedFileOptions> = {}): RotatedFile =>
  new RotatedFile({
    path: join(folder, 'audit', 'log.jsonl'),
    maxBytes: 1000,
    maxAge: 86_400_000,
    onError: (error) => void errors.push(error),
    ...members,
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-rotated-'));
  errors = [];
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('lines are appended in order, for the person only, and read back', async () => {
  const file = fileOf();
  for (let index = 0; index < 20; index++) file.append(`line ${index}`);
  const expected = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
  assert.equal(await file.readAll(), expected);
  assert.equal((await stat(join(folder, 'audit', 'log.jsonl'))).mode & 0o077, 0);
  // What another window has written stays.
  const other = fileOf();
  other.append('of another window');
  await other.flush();
  file.append('last');
  assert.equal(await file.readAll(), `${expected}of another window\nlast\n`);
  assert.deepEqual(errors, []);
});

test('a file that has grown is put aside once, and the end is read across both', async () => {
  const file = fileOf();
  for (let index = 0; index < 30; index++) {
    file.append(`${index}`.padStart(99, '.'));
    await file.flush();
  }
  const all = (await file.readAll()).split('\n').filter(Boolean);
  assert.ok(all.length > 11 && all.length < 24, String(all.length));
  assert.ok(all.at(-1)?.endsWith('29'));
  const tail = (await file.tail(1200)).split('\n').filter(Boolean);
  assert.ok(tail.length >= 10 && tail.every((line) => line.length === 99), tail.join('|'));
  assert.ok(tail.at(-1)?.endsWith('29'));
});

test('files that nobody wrote to for long are deleted', async () => {
  const path = join(folder, 'audit', 'log.jsonl');
  await mkdir(join(folder, 'audit'));
  await writeFile(path, 'old\n');
  await utimes(path, new Date(0), new Date(0));
  const file = fileOf();
  file.append('new');
  assert.equal(await file.readAll(), 'new\n');
});

test('a full disk costs lines, is said once, and is over when there is room', async () => {
  const path = join(folder, 'log.jsonl');
  await symlink('/dev/full', path);
  const file = fileOf({ path, maxAge: Infinity });
  for (let index = 0; index < 3; index++) {
    file.append('lost');
    await file.flush();
  }
  assert.equal(errors.length, 1);
  assert.match(String(errors[0]), /ENOSPC/);
  await rm(path);
  file.append('kept');
  await file.flush();
  assert.equal(await readFile(path, 'utf8'), 'kept\n');
});
