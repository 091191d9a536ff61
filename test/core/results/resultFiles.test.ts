import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesToRemove } from '../../../src/core/results/resultFiles.ts';

const hour = 60 * 60 * 1000;
const mebibyte = 1024 * 1024;
const now = 1000 * hour;
const file = (hours: number, megabytes = 1) => ({
  hours,
  mtime: now - hours * hour,
  size: megabytes * mebibyte,
});

test('files that are old go, and the oldest where there are too many or too much', () => {
  const removed = (files: readonly ReturnType<typeof file>[], megabytes: number) =>
    filesToRemove(files, megabytes * mebibyte, now).map(({ hours }) => hours);
  const many = Array.from({ length: 51 }, (_, index) => file(index / 10));
  assert.deepEqual(
    [
      removed([file(1), file(25), file(23)], 1),
      removed(many, 1),
      removed([file(3, 90), file(1, 90), file(2, 90)], 10),
      removed([], 500),
    ],
    [[25], [4.9, 5], [3], []],
  );
});
