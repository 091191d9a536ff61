import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { EditorSession } from './editorSession.ts';
import type { EditorWindow } from './editorWindow.ts';
import type { OfferedTool } from './scriptedModel.ts';

interface LogLine {
  readonly params?: {
    readonly action?: {
      readonly type?: string;
      readonly activeClient?: { readonly tools?: readonly OfferedTool[] };
    };
  };
  readonly _ahpLog?: { readonly dir?: string };
}

const timeoutMs = 20_000;
const quietMs = 700;
const pollMs = 100;

/**
 * Returns the tools a window offers to Agent Host sessions ("Copilot" in the session picker), which run in a process of their own under stricter
 * rules than the chat. Opens a new such session in the chat view and reads what the window published for it from the editor's protocol log. No
 * model is involved. Rejects when nothing was published in time.
 */
export async function agentHostTools(
  session: EditorSession,
  window: EditorWindow,
): Promise<readonly OfferedTool[]> {
  const before = (await published(session, window)).length;
  await openSession(window);
  try {
    return await awaitPublished(session, window, before);
  } finally {
    // Back to the kind of session the chat starts with, for whatever the test does next.
    await window.run('workbench.action.chat.openNewChatSessionInPlace.local', 'sidebar');
  }
}

/** The editor registers the command some time after it has started. */
async function openSession(window: EditorWindow): Promise<void> {
  const command = 'workbench.action.chat.openNewChatSessionInPlace.agent-host-copilotcli';
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await window.run(command, 'sidebar');
      return;
    } catch (error: unknown) {
      const isMissing = error instanceof Error && error.message.includes('not found');
      if (!isMissing || Date.now() > deadline) throw error;
      await delay(pollMs);
    }
  }
}

async function awaitPublished(
  session: EditorSession,
  window: EditorWindow,
  before: number,
): Promise<readonly OfferedTool[]> {
  const deadline = Date.now() + timeoutMs;
  let seen = before;
  let changedAt = Date.now();
  while (Date.now() < deadline) {
    const all = await published(session, window);
    if (all.length > seen) {
      seen = all.length;
      changedAt = Date.now();
    }
    const last = all.at(-1);
    // The window publishes again when its list is still changing: the last word counts.
    if (seen > before && last !== undefined && Date.now() - changedAt > quietMs) return last;
    await delay(pollMs);
  }
  throw new Error(
    `The window published no tools to the agent host within ${timeoutMs / 1000} s.\n${await agentHostLog(session)}`,
  );
}

/** Every tool list the window published so far, oldest first. */
async function published(
  session: EditorSession,
  window: EditorWindow,
): Promise<(readonly OfferedTool[])[]> {
  const folder = pathToFileURL(window.folder).href;
  const lists: (readonly OfferedTool[])[] = [];
  for (const file of await session.logFiles(/^.*ahp[/\\].*\.jsonl$/)) {
    const text = await readFile(file, 'utf8');
    // One file per connection, and so per window: the session it creates names the folder.
    if (!text.includes(folder)) continue;
    for (const line of text.split('\n')) {
      if (!line.includes('"session/activeClientSet"')) continue;
      const parsed = parseLine(line);
      if (parsed?._ahpLog?.dir !== 'c2s') continue;
      const { action } = parsed.params ?? {};
      if (action?.type === 'session/activeClientSet') lists.push(action.activeClient?.tools ?? []);
    }
  }
  return lists;
}

/** Parses a log line; the last line of the file may be half written. */
function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

async function agentHostLog(session: EditorSession): Promise<string> {
  const file = (await session.logFiles(/agenthost\.log$/)).at(-1);
  return file === undefined
    ? 'The agent host wrote no log.'
    : (await readFile(file, 'utf8')).slice(-2_000);
}
