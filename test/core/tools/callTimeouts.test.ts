import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTimeouts, timeoutSetting } from '../../../src/core/tools/callTimeouts.ts';
import { progressText } from '../../../src/core/tools/progressText.ts';

const timeouts = {
  ...{ connect: 30, call: 60, total: 600 },
  tools: [
    ['deploy_*', { call: 900 }],
    ['deploy_fast', { total: 10 }],
    ['*', { call: 5 }],
  ],
} as const;

const cases: [tool: string, call: number, total: number, callSetting: string, total: string][] = [
  ['deploy_all', 900, 900, 'timeouts.tools["deploy_*"].call', 'timeouts.total'],
  ['deploy_fast', 60, 10, 'timeouts.call', 'timeouts.tools["deploy_fast"].total'],
  ['read', 5, 600, 'timeouts.tools["*"].call', 'timeouts.total'],
  ['__proto__', 5, 600, 'timeouts.tools["*"].call', 'timeouts.total'],
];
for (const [tool, call, total, callSetting, totalSetting] of cases) {
  test(`the limits of ${tool}`, () => {
    const limits = callTimeouts(timeouts, tool);
    const settings = [timeoutSetting(limits, 'call'), timeoutSetting(limits, 'total')];
    assert.deepEqual(
      [limits.call, limits.total, ...settings],
      [...[call, total], ...[callSetting, totalSetting]],
    );
  });
}

test('progress in a few words', () => {
  const texts = [
    {},
    { progress: 2, total: 5 },
    { progress: 7, total: 5 },
    { progress: 3 },
    { progress: Number.NaN, total: 0 },
    { message: 'a\nb', progress: 1, total: 4 },
    { message: 'x'.repeat(200) },
  ].map(progressText);
  assert.deepEqual(texts.slice(0, 5), ['', '40 %', '100 %', '', '']);
  assert.match(texts[5] ?? '', /^25 % · a.*b$/);
  assert.equal(texts[6]?.length, 81);
});
