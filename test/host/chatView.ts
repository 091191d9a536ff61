import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

export interface ChatState {
  /** A response is still being produced. */
  readonly busy: boolean;
  /** The confirmation card that waits for an answer, as text; empty when there is none. */
  readonly card: string;
  /** What the chat shows, as text. */
  readonly shown: string;
}

const buttonsOfCard = '.interactive-session .chat-confirmation-widget-buttons .monaco-button';
const pressAttempts = 5;
const effectMs = 2_500;

/** Reads the state of the chat view of a window. */
export function readChat(page: Page): Promise<ChatState> {
  return page.evaluate((selector) => {
    const session = [...document.querySelectorAll('.interactive-session')].find((element) =>
      element.checkVisibility(),
    );
    const button = [...document.querySelectorAll<HTMLElement>(selector)].find((element) =>
      element.checkVisibility(),
    );
    // The card sits above the input in a container of its own, which has the title, or in the response itself.
    const card =
      button?.closest<HTMLElement>('.chat-tool-confirmation-carousel-container') ??
      button?.closest<HTMLElement>('.chat-confirmation-widget-container');
    const responding =
      session?.querySelector('.interactive-response.chat-response-loading') ?? null;
    const list = session?.querySelector<HTMLElement>('.interactive-list');
    return {
      busy: responding !== null,
      card: card?.innerText.trim() ?? '',
      shown: list?.innerText.trim() ?? '',
    };
  }, buttonsOfCard);
}

/**
 * Presses a button of the open confirmation card: `label` is how its text starts. With `choice`, opens the menu beside that button
 * and picks the entry that starts with it. A menu that has just opened ignores clicks, and a card that is drawn anew loses them: so
 * presses again until the card is gone or is another one.
 */
export async function pressCardButton(page: Page, label: string, choice?: string): Promise<void> {
  const { card: before } = await readChat(page);
  const button = page
    .locator(`${buttonsOfCard}:visible`)
    .filter({ hasText: new RegExp(`^\\s*${label}`) })
    .first();
  for (let attempt = 1; attempt <= pressAttempts; attempt++) {
    try {
      await pressOnce(page, button, choice);
    } catch (error) {
      if ((await readChat(page)).card === before && attempt === pressAttempts) throw error;
    }
    const deadline = Date.now() + effectMs;
    do {
      if (!isSameCard((await readChat(page)).card, before)) return;
      await delay(50);
    } while (Date.now() < deadline);
  }
  throw new Error(`The button "${choice ?? label}" of the confirmation card has no effect.`);
}

async function pressOnce(page: Page, button: Locator, choice: string | undefined): Promise<void> {
  if (choice === undefined) return button.click({ timeout: effectMs });
  const entry = page
    .locator('.monaco-menu .action-label')
    .filter({ hasText: new RegExp(`^\\s*${choice}`) })
    .first();
  if (!(await entry.isVisible())) {
    await button
      .locator('xpath=..')
      .locator('.monaco-dropdown-button')
      .click({ timeout: effectMs });
  }
  await entry.click({ timeout: effectMs });
}

/** Parts of a card appear late (its input, a risk assessment); the title stays. */
function isSameCard(now: string, before: string): boolean {
  return now !== '' && now.split('\n', 1)[0] === before.split('\n', 1)[0];
}
