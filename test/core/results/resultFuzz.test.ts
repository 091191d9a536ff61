import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolResult } from '../../../src/core/results/toolResult.ts';
import { Random } from '../../support/random.ts';
import { shapedBy, textOf } from '../../support/results.ts';

const strings = [
  '',
  'text',
  'image',
  'audio',
  'resource',
  'resource_link',
  'input_required',
  'image/png',
  'text/plain',
  'iVBORw0KGgo=',
  '{"a":1}',
  'x'.repeat(5000),
  '🎉'.repeat(3000),
  '\ud83d\u202e\0\u001b[1m',
  '[1,'.repeat(1000),
  'line\n'.repeat(5000),
] as const;
const keys = [
  'content',
  'structuredContent',
  'isError',
  'resultType',
  'inputRequests',
  'type',
  'text',
  'data',
  'blob',
  'mimeType',
  'uri',
  'name',
  'size',
  'resource',
  'annotations',
  'audience',
  'priority',
  '_meta',
  '__proto__',
  'constructor',
] as const;

/** Any JSON value, made of what results are made of. */
function anyValue(random: Random, depth: number): unknown {
  switch (random.below(depth > 0 ? 9 : 5)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick([0, -1, 0.5, 1e300]);
    case 2:
    case 3:
    case 4:
      return random.pick(strings);
    case 5:
    case 6:
      return Array.from({ length: random.below(6) }, () => anyValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(8) }, () => [
          random.pick(keys),
          anyValue(random, depth - 1),
        ]),
      );
  }
}

test('any result gives bounded, well-formed text and never an exception', async () => {
  const random = new Random(20_261_130);
  for (let round = 0; round < 3000; round++) {
    const limits = {
      resultChars: random.pick([1, 300, 5000, 50_000]),
      resultBlocks: random.pick([1, 3, 100]),
    };
    const result = {
      content: Array.from({ length: random.below(5) }, () => anyValue(random, 3)),
      ...(random.below(2) === 0 && { structuredContent: anyValue(random, 3) }),
      ...(random.below(4) === 0 && (anyValue(random, 2) as object)),
    };
    const { parts } = await toolResult(result, shapedBy(limits));
    const whole = textOf(parts);
    const is = {
      some: parts.length > 0 && parts.length <= limits.resultBlocks,
      bounded: whole.length <= limits.resultChars + 300,
      wellFormed: whole.isWellFormed(),
      visible: ['\0', '\u001b', '\u202e'].every((hidden) => !whole.includes(hidden)),
      lines: whole.split('\n').every((line) => line.length <= 2000),
    };
    assert.deepEqual(
      is,
      { some: true, bounded: true, wellFormed: true, visible: true, lines: true },
      `round ${round}: ${JSON.stringify(result).slice(0, 2000)}`,
    );
  }
});
