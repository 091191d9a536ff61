import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EditorWindow } from './editorWindow.ts';

/** Waits for the quick input with that prompt or placeholder, types into it and accepts. */
export async function answerQuickInput(
  window: EditorWindow,
  prompt: string,
  text: string,
): Promise<void> {
  await typeIntoQuickInput(window, prompt, text);
  await window.page.keyboard.press('Enter');
}

/** The same without accepting. */
export async function typeIntoQuickInput(
  window: EditorWindow,
  prompt: string,
  text: string,
): Promise<void> {
  await window.page.waitForFunction(
    (wanted) => {
      const widget = document.querySelector<HTMLElement>('.quick-input-widget');
      const input = widget?.querySelector('input[type="text"], input:not([type])');
      const placeholder = input?.getAttribute('placeholder') ?? '';
      return (
        widget?.style.display !== 'none' && `${widget?.innerText}${placeholder}`.includes(wanted)
      );
    },
    prompt,
    { timeout: 10_000 },
  );
  await window.page.locator('.quick-input-widget .quick-input-box input').first().fill(text);
}

/** Waits until the open list shows exactly these labels, from top to bottom. */
export async function waitForQuickInputLabels(
  window: EditorWindow,
  labels: readonly string[],
): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (true) {
    const shown = await quickInputLabels(window);
    if (isDeepStrictEqual(shown, labels)) {
      return;
    }
    if (Date.now() > deadline) {
      assert.deepEqual(shown, labels);
    }
    await setTimeout(100);
  }
}

/** The list reuses its rows, so their order in the document is not the one on the screen. */
function quickInputLabels(window: EditorWindow): Promise<string[]> {
  const rows = window.page.locator('.quick-input-list .monaco-list-row');
  return rows.evaluateAll((all) =>
    all
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => row.querySelector<HTMLElement>('.label-name')?.innerText ?? ''),
  );
}
