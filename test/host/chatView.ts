import type { Page } from 'playwright-core';

export interface ChatState {
  /** A response is still being produced. */
  readonly busy: boolean;
  /** The confirmation card that waits for an answer, as text; empty when there is none. */
  readonly card: string;
  /** The labels of the buttons of that card. */
  readonly buttons: readonly string[];
  /** What the chat shows, as text. */
  readonly shown: string;
}

// A pressed button is marked, so that a card on its way out is never taken for a new one.
const buttonsOfCard =
  '.interactive-session .chat-confirmation-widget-buttons .monaco-button:not([data-answered])';

/** Reads the state of the chat view of a window. */
export function readChat(page: Page): Promise<ChatState> {
  return page.evaluate((selector) => {
    const session = [...document.querySelectorAll('.interactive-session')].find((element) =>
      element.checkVisibility(),
    );
    const buttons = [...document.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      element.checkVisibility(),
    );
    // The card sits above the input in a container of its own, which has the title, or in the response itself.
    const card =
      buttons[0]?.closest<HTMLElement>('.chat-tool-confirmation-carousel-container') ??
      buttons[0]?.closest<HTMLElement>('.chat-confirmation-widget-container');
    const responding =
      session?.querySelector('.interactive-response.chat-response-loading') ?? null;
    const list = session?.querySelector<HTMLElement>('.interactive-list');
    return {
      busy: responding !== null,
      card: card?.innerText.trim() ?? '',
      buttons: buttons.map((button) => button.innerText.trim()).filter((label) => label !== ''),
      shown: list?.innerText.trim() ?? '',
    };
  }, buttonsOfCard);
}

/**
 * Presses a button of the open confirmation card: `label` is how its text starts. With `choice`, opens the menu beside that button
 * and picks the entry that starts with it.
 */
export async function pressCardButton(page: Page, label: string, choice?: string): Promise<void> {
  const all = page.locator(`${buttonsOfCard}:visible`);
  const button = all.filter({ hasText: new RegExp(`^\\s*${label}`) }).first();
  if (choice === undefined) {
    await button.click({ timeout: 10_000 });
  } else {
    await button.locator('xpath=..').locator('.monaco-dropdown-button').click({ timeout: 10_000 });
    const entry = page
      .locator('.monaco-menu .action-label')
      .filter({ hasText: new RegExp(`^\\s*${choice}`) });
    await entry.first().click({ timeout: 10_000 });
  }
  await all.evaluateAll((buttons) => {
    for (const pressed of buttons) (pressed as HTMLElement).dataset['answered'] = 'yes';
  });
}
