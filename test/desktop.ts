// `npm run test:desktop`: the editor tests in desktop VS Code, on a machine that can download and show it.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { startDesktopEditor } from './host/desktop.ts';
import { inRepository } from './host/repository.ts';

try {
  const session = await startDesktopEditor();
  await session.close();
} catch (error: unknown) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
const { status } = spawnSync(process.execPath, [inRepository('test', 'all.ts'), 'editor'], {
  stdio: 'inherit',
  env: { ...process.env, MCP_BRIDGE_EDITOR: 'desktop' },
});
process.exitCode = status ?? 1;
