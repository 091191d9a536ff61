import { rm } from 'node:fs/promises';
import { Agent } from './agent.ts';
import { createDemoWorkspace, demoServers } from './demoWorkspace.ts';
import type { EditorWindow } from './editorWindow.ts';
import { packageExtension } from './vsix.ts';
import { startWebEditor } from './webEditor.ts';

const started = Date.now();
const toolName = 'everything__echo';
const message = 'hello from MCP Bridge';

process.exitCode = await main(process.argv.includes('--check'));

/** `npm start`: the extension in a real editor on a demo workspace. With `--check`, has the agent call a tool instead of waiting for a person. */
async function main(check: boolean): Promise<number> {
  const interrupted = interruption();
  const vsix = await packageExtension();
  const folder = await createDemoWorkspace();
  try {
    // The probe sets the chat up by itself: its scripted model needs no account.
    const editor = await startWebEditor({
      vsix: [vsix],
      settings: { 'mcpBridge.servers': demoServers },
      env: { MCP_BRIDGE_PROBE_DEMO: '1' },
    });
    try {
      if (check) {
        const checked = checkConversation(
          () => editor.openWindow(folder),
          () => editor.logs(),
        );
        return await Promise.race([checked, interrupted.then(() => 130)]);
      }
      console.log(`
MCP Bridge runs in a real editor. Open this address in a browser on this machine:

  ${editor.address(folder)}

The chat opens by itself after a few seconds, with a scripted model that follows rules: write "echo hello" or "tools".
Press Ctrl+C here to stop; everything is removed again.
`);
      await interrupted;
      return 0;
    } finally {
      await editor.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkConversation(
  open: () => Promise<EditorWindow>,
  logs: () => Promise<string>,
): Promise<number> {
  try {
    const window = await open();
    await window.waitFor(
      { what: `the tool ${toolName}`, timeoutMs: 30_000 },
      (vscode, name) => vscode.lm.tools.some((tool) => tool.name === name),
      toolName,
    );
    await window.waitFor(
      { what: 'the chat to be set up', timeoutMs: 30_000 },
      (vscode) => vscode.extensions.getExtension('GitHub.copilot-chat') !== undefined,
    );
    const agent = await Agent.open(window);
    const turn = await agent.ask(`call ${toolName} ${JSON.stringify({ message })}`);
    console.log(`\n${turn.transcript}\n`);
    const complete =
      turn.transcript.includes(`Tool result: Echo: ${message}`) && turn.requests.length === 2;
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    console.log(
      complete
        ? `The agent called ${toolName} through MCP Bridge and reported its result (${seconds} s in all).`
        : `The conversation above is not what was expected (${seconds} s in all).`,
    );
    return complete ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error((await logs()).slice(-6_000));
    return 1;
  }
}

/** Resolves when somebody asks this process to end. The handlers stay, so that a second Ctrl+C does not cut the cleaning up short. */
function interruption(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        console.log('\nStopping …');
        resolve();
      });
    }
  });
}
