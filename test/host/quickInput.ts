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

/** Waits until the open list shows an entry of that label, and gives all labels. */
export async function quickInputLabels(window: EditorWindow, label: string): Promise<string[]> {
  const rows = window.page.locator('.quick-input-list .monaco-list-row');
  await rows.getByText(label, { exact: true }).first().waitFor({ timeout: 10_000 });
  // A row that showed a longer entry before still has that one's detail, hidden.
  return rows.evaluateAll((all) =>
    all.map((row) => row.querySelector<HTMLElement>('.label-name')?.innerText ?? ''),
  );
}
