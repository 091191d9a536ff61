import type { EditorWindow } from './editorWindow.ts';

/** Waits for a modal question of the editor and gives all its words. */
export async function dialogText({ page }: EditorWindow): Promise<string> {
  const box = page.locator('.monaco-dialog-box');
  await box.waitFor({ timeout: 30_000 });
  return box.innerText();
}

/** Presses the button with that label, and waits until the question is gone. */
export async function pressInDialog({ page }: EditorWindow, label: string): Promise<void> {
  const box = page.locator('.monaco-dialog-box');
  await box.locator('.monaco-button', { hasText: label }).click({ timeout: 5_000 });
  await box.waitFor({ state: 'detached', timeout: 5_000 });
}
