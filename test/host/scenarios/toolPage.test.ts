import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import axe from 'axe-core';
import type { Frame } from 'playwright-core';
import { Workspace, openServersView, registeredTool, testServer } from '../bridgeProbe.ts';
import type { EditorSession } from '../editorSession.ts';
import type { EditorWindow } from '../editorWindow.ts';
import { answerQuickInput } from '../quickInput.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

let workspace: Workspace;
let session: EditorSession;
let window: EditorWindow;
let page: Frame;

before(async () => {
  workspace = await Workspace.create();
  session = await startEditor({
    vsix: [await packageExtension()],
    settings: { 'mcpBridge.servers': { nested: testServer('nestedArguments') } },
  });
  window = await session.openWindow(workspace.folder);
  await openServersView(window);
  await registeredTool(window, 'nested__plan');
  const opening = window.run('mcpBridge.openTool');
  await answerQuickInput(window, 'Open Tool', 'nested__plan');
  await opening;
  page = await pageFrame();
});

after(async () => {
  await session?.close();
  await workspace?.[Symbol.asyncDispose]();
});

/** The frame that holds the page; the editor nests it in frames of its own. */
async function pageFrame(): Promise<Frame> {
  const deadline = Date.now() + 20_000;
  do {
    for (const frame of window.page.frames()) {
      const count = await frame
        .locator('main#page h1')
        .count()
        .catch(() => 0);
      if (count > 0) return frame;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (Date.now() < deadline);
  throw new Error('The page of the tool never showed its title.');
}

const shown = (text: string) => page.getByText(text).first().waitFor({ timeout: 15_000 });

test('nested fields become the arguments of a call, and its result is shown both ways', async () => {
  await shown('Plans <b>something</b>.');
  await page.getByLabel('title (required)').fill('Trip');
  await page.getByLabel('size').selectOption('large');
  await page.getByLabel('tags, as JSON').fill('["a"]');
  await page.getByLabel('city').fill('Rome');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await shown('Ended: ok');
  const results = await page.locator('h3 + pre').allTextContents();
  const args = { title: 'Trip', size: 'large', tags: ['a'], place: { city: 'Rome' } };
  assert.deepEqual(
    results.map((text): unknown => JSON.parse(text)),
    [args, args],
  );
  assert.equal(results[0], JSON.stringify(args, null, 2));
});

test('progress is shown, and cancelling ends the call', async () => {
  await page.getByLabel('wait').selectOption('true');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await shown('Running… 25 % · thinking');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await shown('Ended: cancelled');
});

test('a call of the history gives its arguments back', async () => {
  await page.getByRole('button', { name: /: ok, \d+ ms/ }).click();
  assert.match(await page.getByLabel('Arguments as JSON', { exact: true }).inputValue(), /"Rome"/);
  await page.getByLabel('Write the arguments as JSON').uncheck();
});

const themes = [
  ['Visual Studio Light', 'vscode-light'],
  ['Visual Studio Dark', 'vscode-dark'],
  ['Default High Contrast', 'vscode-high-contrast'],
] as const;
for (const [theme, style] of themes) {
  test(`the page has no accessibility fault in ${theme}`, async () => {
    await window.evaluate(async (vscode, name) => {
      const { Global } = vscode.ConfigurationTarget;
      await vscode.workspace.getConfiguration('workbench').update('colorTheme', name, Global);
    }, theme);
    await page.locator(`body.${style}`).waitFor({ timeout: 15_000 });
    await page.evaluate(axe.source);
    const faults = await page.evaluate(async () => {
      const page = globalThis as unknown as {
        axe: {
          run(): Promise<{
            violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
          }>;
        };
      };
      const { violations } = await page.axe.run();
      return violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
    });
    await window.screenshot(`tool-page-${theme.replaceAll(' ', '-')}`);
    assert.deepEqual(faults, []);
  });
}
