import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeOf } from '../../../src/core/audit/argumentShape.ts';
import { readAuditLines } from '../../../src/core/audit/auditEntry.ts';
import { auditLine } from '../../../src/core/audit/auditLine.ts';
import { AuditLog } from '../../../src/core/audit/auditLog.ts';
import type { AuditCall } from '../../../src/core/audit/auditPort.ts';
import { KnownSecrets } from '../../../src/core/redact.ts';

const time = new Date('2026-11-30T12:00:00Z');
const call: AuditCall = {
  ...{ kind: 'call', server: 'files', scope: 'user', tool: 'write', exposedName: 'files__write' },
  ...{ approval: 'editor', outcome: 'result', duration: 12.6 },
  arguments: {
    path: '/notes.txt',
    content: 'hello',
    tags: ['a', 'b'],
    deep: { er: { still: { x: 1 } } },
  },
};
const plain = (text: string): string => text;

const shapes: readonly (readonly [value: unknown, expected: unknown])[] = [
  ['twelve chars', 'string(12)'],
  [null, 'null'],
  [3, 'number'],
  [true, 'boolean'],
  [undefined, 'undefined'],
  [[], 'array(0)'],
  [
    ['a', 'bc'],
    ['string(1)', 'string(2)'],
  ],
  [
    [1, 2, 3, 4, 5],
    ['number', 'number', 'number', 'and 2 more'],
  ],
  [{ a: { b: { c: { d: 1 } } } }, { a: { b: { c: 'object(1)' } } }],
  [{ ['x'.repeat(200)]: 1 }, { ['x'.repeat(80)]: 'number' }],
];
for (const [value, expected] of shapes) {
  test(`the shape of ${JSON.stringify(value)?.slice(0, 40)}`, () => {
    assert.deepEqual(shapeOf(value), expected);
  });
}

test('a line holds names and sizes, and no value', () => {
  const line = auditLine(call, { time, values: false, mask: plain });
  assert.deepEqual(JSON.parse(line), {
    time: '2026-11-30T12:00:00.000Z',
    ...{ kind: 'call', server: 'files', scope: 'user', tool: 'write', exposedName: 'files__write' },
    ...{ approval: 'editor', outcome: 'result', durationMs: 13 },
    arguments: {
      path: 'string(10)',
      content: 'string(5)',
      tags: ['string(1)', 'string(1)'],
      deep: { er: { still: 'object(1)' } },
    },
  });
  assert.ok(!line.includes('hello'));
});

test('values are kept where the person wants that, masked and cut', () => {
  const known = new KnownSecrets();
  known.add('s3cret-value');
  const args = { token: 's3cret-value', text: 'x'.repeat(50_000) };
  const line = auditLine({ ...call, arguments: args }, { time, values: true, mask: known.mask });
  assert.ok(line.length <= 16_384 && !line.includes('s3cret-value') && line.includes('xxx'));
  assert.equal(readAuditLines(line).length, 1);
});

test('lines of any size of arguments can be read back, and torn ones cost themselves only', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`name${index}`, 'x']),
  );
  const deep = { list: Array.from({ length: 50 }, () => wide) };
  const lines = [call, { ...call, arguments: wide }, { ...call, arguments: deep }].map((event) =>
    auditLine(event, { time, values: true, mask: plain }),
  );
  const text = `${lines.join('\n')}\n{"time":"2026-11-30T12:0\nnonsense\n[]\n`;
  assert.deepEqual(
    readAuditLines(text).map(({ tool }) => tool),
    ['write', 'write', 'write'],
  );
});

test('nothing is kept while the person does not want it, and the newest comes first', async () => {
  const lines: string[] = [];
  let enabled = false;
  const log = new AuditLog({
    file: {
      append: (line) => void lines.push(line),
      tail: async () => `${lines.join('\n')}\n`,
      readAll: async () => lines.join('\n'),
    },
    now: () => time,
    settings: () => ({ enabled, values: false }),
    mask: plain,
    onError: (error) => assert.fail(String(error)),
  });
  let told = 0;
  log.onDidRecord(() => (told += 1));
  log.record(call);
  assert.deepEqual([lines.length, told], [0, 0]);
  enabled = true;
  log.record(call);
  log.record({ ...call, tool: 'read' });
  assert.equal(told, 2);
  assert.deepEqual(
    (await log.recent()).map(({ tool }) => tool),
    ['read', 'write'],
  );
  log.dispose();
});
