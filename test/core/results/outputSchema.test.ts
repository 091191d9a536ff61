import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outputWarning } from '../../../src/core/results/outputSchema.ts';
import { ArgumentCheck } from '../../../src/core/schemas/argumentCheck.ts';

const schema = { type: 'object', properties: { data: { type: 'string' } }, required: ['data'] };
const content = [{ type: 'text', text: 'body' }];

const results: readonly (readonly [result: unknown, warns: RegExp | undefined])[] = [
  [{ content, structuredContent: { data: 'x' } }, undefined],
  [
    { content, structuredContent: { data: 5 } },
    /does not fit its output schema:\n- "data" must be string/,
  ],
  [{ content, structuredContent: 0 }, /does not fit/],
  [{ content, structuredContent: null }, /does not fit/],
  [{ content }, /has no "structuredContent"/],
  [{ content, isError: true, structuredContent: { error: 'E7' } }, undefined],
  [{ content, isError: true }, undefined],
  [{ resultType: 'input_required', inputRequests: {} }, undefined],
  ['no object', undefined],
];

test('T61 a result that does not fit its output schema is worth a warning, unless it is an error', () => {
  const check = new ArgumentCheck();
  for (const [result, warns] of results) {
    const warning = outputWarning(schema, result, check);
    if (warns === undefined) assert.equal(warning, undefined, JSON.stringify(result));
    else assert.match(warning ?? '', warns, JSON.stringify(result));
  }
  assert.equal(outputWarning(undefined, { content }, check), undefined);
});

test('results that are not of the form of an object are checked too', () => {
  const check = new ArgumentCheck();
  const list = { type: 'array', items: { type: 'number' } };
  assert.equal(outputWarning(list, { structuredContent: [1] }, check), undefined);
  assert.match(outputWarning(list, { structuredContent: ['a'] }, check) ?? '', /"\[0\]" must be/);
});
