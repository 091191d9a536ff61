// Makes media/screenshot.png, the picture in the README, from the running product.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent } from './agent.ts';
import { expandRow, openServersView, registeredTool } from './bridgeProbe.ts';
import { createDemoWorkspace, demoServers } from './demoWorkspace.ts';
import { inRepository } from './repository.ts';
import { startEditor } from './startEditor.ts';
import { packageExtension } from './vsix.ts';

const deny = ['write_*', 'edit_*', 'move_*', 'create_*'];
const folder = await createDemoWorkspace();
const session = await startEditor({
  vsix: [await packageExtension()],
  settings: {
    ...{ 'workbench.colorTheme': 'Default Dark Modern', 'window.commandCenter': false },
    'mcpBridge.servers': { ...demoServers, filesystem: { ...demoServers.filesystem, deny } },
  },
});
try {
  const entry = (name: string, ...args: string[]): object => ({
    command: 'npx',
    args: ['-y', `@modelcontextprotocol/server-${name}`, ...args],
  });
  const window = await session.openWindow(folder);
  await registeredTool(window, 'filesystem__read_text_file');
  const agent = await Agent.open(window);
  await agent.ask('What do I have to do today?', {
    answers: [
      [
        {
          toolCall: {
            name: 'filesystem__read_text_file',
            input: { path: join(folder, 'notes', 'todo.txt') },
          },
        },
      ],
      [{ text: 'Two things: water the plants, and write to Ada.' }],
    ],
  });
  // What is shown is the example of the README; what runs are the same servers, installed already.
  const shown = join(folder, 'settings.json');
  const example = {
    'mcpBridge.servers': {
      everything: entry('everything'),
      filesystem: {
        ...entry('filesystem', '${workspaceFolder}'),
        deny,
      },
    },
  };
  await writeFile(shown, `${JSON.stringify(example, null, 2)}\n`);
  await window.evaluate(async (vscode, path: string) => {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
  }, shown);
  await openServersView(window);
  await expandRow(window, 'filesystem');
  await window.page
    .locator('.notification-toast .codicon-notifications-clear')
    .first()
    .click({ timeout: 1000 })
    .catch(() => undefined);
  await window.page.waitForTimeout(3000);
  await window.page.screenshot({ path: inRepository('media', 'screenshot.png') });
} finally {
  await session.close();
  await rm(folder, { recursive: true, force: true });
}
