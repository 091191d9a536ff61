import { startDesktopEditor } from './desktop.ts';
import type { EditorOptions, EditorSession } from './editorSession.ts';
import { startWebEditor } from './webEditor.ts';

/**
 * Starts the editor tests run in: code-server, or desktop VS Code when `MCP_BRIDGE_EDITOR=desktop`. The caller closes the session, which leaves
 * nothing behind.
 */
export function startEditor(options: EditorOptions = {}): Promise<EditorSession> {
  const kind = process.env['MCP_BRIDGE_EDITOR'] || 'web';
  if (kind === 'web') return startWebEditor(options);
  if (kind === 'desktop') return startDesktopEditor(options);
  throw new Error(`MCP_BRIDGE_EDITOR is "${kind}": it can be "web" (the default) or "desktop".`);
}
