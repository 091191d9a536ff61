import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EditorOptions } from './editorSession.ts';

export interface SessionFolders {
  readonly userData: string;
  readonly extensions: string;
  /** Where probes announce themselves. */
  readonly announcements: string;
  /** The temporary folder of the editor's processes. */
  readonly temporary: string;
  /** Everything that is thrown away with the session. */
  readonly scratch: string;
  readonly settingsFile: string;
  readonly outputFile: string;
  /** Removes what the session made for itself; folders that were given stay. */
  remove(): Promise<void>;
}

/** Makes the folders of an editor session and writes the user settings. */
export async function createSessionFolders(options: EditorOptions): Promise<SessionFolders> {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'mcp-bridge-editor-')));
  const userData = options.userDataDir ?? join(scratch, 'user-data');
  const folders: SessionFolders = {
    scratch,
    userData,
    extensions: options.extensionsDir ?? join(scratch, 'extensions'),
    announcements: join(scratch, 'probes'),
    temporary: join(scratch, 'tmp'),
    settingsFile: join(userData, 'User', 'settings.json'),
    outputFile: join(scratch, 'editor.log'),
    remove: () => rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
  for (const path of [
    join(userData, 'User'),
    folders.extensions,
    folders.announcements,
    folders.temporary,
    join(userData, 'home'),
  ]) {
    await mkdir(path, { recursive: true });
  }
  const settings = {
    ...defaultSettings,
    ...trustSettings(options.trust ?? 'trusted'),
    ...options.settings,
  };
  await writeFile(folders.settingsFile, `${JSON.stringify(settings, null, 2)}\n`);
  return folders;
}

/** Files below the editor's log folder whose path (relative to it) matches, oldest first. */
export async function findLogFiles(userData: string, pattern: RegExp): Promise<string[]> {
  const root = join(userData, 'logs');
  const found: { path: string; time: number }[] = [];
  for (const name of await readdir(root, { recursive: true }).catch(() => [])) {
    const path = join(root, name);
    if (pattern.test(name)) found.push({ path, time: (await stat(path)).mtimeMs });
  }
  return found.toSorted((a, b) => a.time - b.time).map(({ path }) => path);
}

/** What the editor printed, and the logs of its extension hosts and of MCP Bridge. */
export async function collectLogs({ userData, outputFile }: SessionFolders): Promise<string> {
  const logs = await findLogFiles(userData, /(exthost|mcp[- ]bridge)[^/\\]*\.log$/i);
  const parts: string[] = [];
  for (const file of [outputFile, ...logs]) {
    parts.push(`=== ${file}\n${await readFile(file, 'utf8').catch(() => '')}`);
  }
  return parts.join('\n');
}

/** A quiet editor: nothing that talks to a network, greets, or opens by itself. */
const defaultSettings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
  // What agentHost.ts reads.
  'chat.agentHost.ahpJsonlLoggingEnabled': true,
} as const;

function trustSettings(trust: 'trusted' | 'restricted'): Record<string, unknown> {
  if (trust === 'trusted') return { 'security.workspace.trust.enabled': false };
  return {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.banner': 'never',
  };
}
