import type { Page } from 'playwright-core';

/** Goes through the pages of the authorization server of the tests as a person does, until the browser has come back from it. */
export async function signInAt(page: Page): Promise<void> {
  for (let step = 0; step < 6; step++) {
    const login = page.locator('input[name="login"]');
    const button = page.locator('button[type="submit"]').first();
    if (page.url().includes('/callback')) return;
    await button.waitFor({ timeout: 15_000 });
    if (await login.isVisible()) {
      await login.fill('somebody');
      await page.locator('input[name="password"]').fill('any');
    }
    const before = page.url();
    await button.click();
    await page.waitForURL((url) => url.href !== before, { timeout: 15_000 });
  }
  throw new Error(`The sign-in does not end; the browser is at ${page.url()}.`);
}
