import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtectedServer } from '../../support/authorizationServer.ts';
import { certificateFor } from '../../support/tlsFront.ts';
import { Workspace, invokeTool, openServersView, registeredTool, rowWhen } from '../bridgeProbe.ts';
import { dialogText } from '../modalDialog.ts';
import { signInAt } from '../signInPage.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

test('a person signs in to a server from the sidebar, calls a tool, and signs out', async () => {
  await using certificate = await certificateFor('127.0.0.2');
  await using server = await ProtectedServer.create(certificate);
  await using workspace = await Workspace.create();
  const session = await startEditor({
    vsix: [await packageExtension()],
    env: { NODE_EXTRA_CA_CERTS: certificate.file },
    settings: { 'mcpBridge.servers': { notes: { url: server.url, confirm: 'never' } } },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    const { page } = window;
    await openServersView(window);
    await rowWhen(window, 'notes', ({ description }) => description === 'sign in needed');
    await window.screenshot('sign-in-needed');
    await page.locator('.monaco-list-row', { hasText: 'notes' }).first().hover();
    await page.getByRole('button', { name: 'Sign In to Server' }).first().click();
    const question = await dialogText(window);
    assert.match(question, /"notes" wants you to sign in at 127\.0\.0\.2:\d+/);
    assert.match(question, /Access asked for: .*read/);
    await window.screenshot('sign-in-question');
    const context = page.context();
    context.on('page', (opened) => {
      context
        .newCDPSession(opened)
        .then((tools) => tools.send('Security.setIgnoreCertificateErrors', { ignore: true }))
        .catch(() => undefined);
    });
    const popup = context.waitForEvent('page', { timeout: 60_000 });
    popup.catch(() => undefined);
    const box = page.locator('.monaco-dialog-box');
    await box.locator('.monaco-button', { hasText: 'Sign In' }).click();
    // The editor asks too, before it opens an address that it does not know.
    await box.getByText('external website').waitFor({ timeout: 15_000 });
    await window.screenshot('sign-in-external');
    await box.locator('.monaco-button', { hasText: 'Open' }).first().click();
    const opened = await popup;
    await opened.waitForURL(/127\.0\.0\.2/, { timeout: 15_000 }).catch(() => undefined);
    await opened.reload();
    await signInAt(opened);
    await registeredTool(window, 'notes__read');
    assert.equal(await invokeTool(window, 'notes__read', {}), 'did read');
    await rowWhen(window, 'notes', ({ description }) => description === '2 tools');
    await window.screenshot('sign-in-done');
    await window.run('mcpBridge.signOut', 'notes');
    await rowWhen(window, 'notes', ({ description }) => description === 'sign in needed');
    assert.ok(server.seen.some(({ path }) => path === '/token/revocation'));
  } finally {
    await session.close();
  }
});
