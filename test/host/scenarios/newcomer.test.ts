import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { Agent } from '../agent.ts';
import { Workspace } from '../bridgeProbe.ts';
import { pressCardButton, readChat } from '../chatView.ts';
import { toolResultsIn } from '../scriptedModel.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

test('somebody new has the agent call a tool with four clicks', async (context) => {
  await using workspace = await Workspace.create();
  const session = await startEditor({ vsix: [await packageExtension()] });
  try {
    const window = await session.openWindow(workspace.folder);
    const { page } = window;
    // Signing in to an agent is not ours to count.
    await Agent.open(window);
    await window.model.queue(
      [{ toolCall: { name: 'sample__roll_dice', input: { count: 3 } } }],
      [{ text: 'There they are.' }],
    );
    const startedAt = Date.now();
    let clicks = 0;
    const click = async (target: Locator): Promise<void> => {
      await target.click({ timeout: 15_000 });
      clicks += 1;
    };
    await click(page.locator('.activitybar a[aria-label="MCP Bridge"]'));
    await page.getByRole('button', { name: 'Try the Sample Server' }).waitFor();
    await window.screenshot('newcomer-welcome');
    await click(page.getByRole('button', { name: 'Try the Sample Server' }));
    const ask = page.getByRole('button', { name: 'Ask the Agent' });
    await ask.waitFor({ timeout: 15_000 });
    await window.screenshot('newcomer-sample');
    await click(ask);
    await page.locator('.interactive-input-part', { hasText: 'Roll three dice' }).waitFor();
    await page.keyboard.press('Enter');
    const deadline = Date.now() + 60_000;
    while ((await readChat(page)).card === '' && Date.now() < deadline) await delay(100);
    await window.screenshot('newcomer-question');
    await pressCardButton(page, 'Allow');
    clicks += 1;
    await page.getByText('There they are.').first().waitFor({ timeout: 30_000 });
    const seconds = (Date.now() - startedAt) / 1000;
    await window.screenshot('newcomer-result');
    context.diagnostic(`${clicks} clicks, 1 key, ${seconds.toFixed(1)} s`);
    const last = (await window.model.requests()).at(-1) ?? assert.fail('no request');
    assert.match(toolResultsIn(last).at(-1)?.text ?? '', /Rolled \d, \d, \d; the sum is \d+/);
    assert.equal(clicks, 4);
    await window.run('mcpBridge.openWalkthrough');
    await page
      .locator('h2:visible, .category-title:visible', { hasText: 'Get Started with' })
      .first()
      .waitFor({ timeout: 15_000 });
    await window.screenshot('walkthrough');
    await window.run('mcpBridge.removeSampleServer');
    await page.getByRole('button', { name: 'Try the Sample Server' }).first().waitFor();
  } finally {
    await session.close();
  }
});
