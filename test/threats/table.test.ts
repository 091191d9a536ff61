import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/sources.ts';

interface Row {
  readonly id: string;
  readonly test: string;
}

const rows = readFileSync(join(root, 'SECURITY.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| T\d\d /.test(line))
  .map((line): Row => {
    const [, id = '', , , cell = ''] = line.split('|').map((part) => part.trim());
    return { id, test: cell };
  });

test('every threat has one row', () => {
  const expected = Array.from(
    { length: 67 },
    (_, index) => `T${String(index + 1).padStart(2, '0')}`,
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    expected,
  );
});

for (const { id, test: cell } of rows) {
  const [, path] = /^`([^`]+)`$/.exec(cell) ?? [];
  if (path === undefined) {
    test(`${id} says why it has no test`, () => assert.match(cell, /^Not taken: \S.{20,}/));
    continue;
  }
  test(`${id} has a test that is named after it`, () => {
    const file = join(root, path);
    assert.ok(existsSync(file), path);
    // Also a second row of one test, and titles in a list of tests.
    const title = new RegExp(String.raw`['"${'`'}](?:T\d\d )*${id} `);
    assert.match(readFileSync(file, 'utf8'), title, `${path} has no test ${id}`);
  });
}
