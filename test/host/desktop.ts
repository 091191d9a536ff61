import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  SilentReporter,
  downloadAndUnzipVSCode,
  resolveCliArgsFromVSCodeExecutablePath,
} from '@vscode/test-electron';
import { chromium, type Browser, type Page } from 'playwright-core';
import { cacheFolder } from './editorHost.ts';
import type { EditorOptions, EditorSession } from './editorSession.ts';
import type { EditorWindow } from './editorWindow.ts';
import { EditorWindows } from './editorWindows.ts';
import { freePort } from './freePort.ts';
import { startProcessGroup, type ProcessGroup } from './processGroup.ts';
import { inRepository, pinnedNode } from './repository.ts';
import { runProgram } from './runProgram.ts';
import {
  collectLogs,
  createSessionFolders,
  findLogFiles,
  type SessionFolders,
} from './sessionFolders.ts';
import { SessionMarker } from './sessionMarker.ts';
import { packFolder } from './vsix.ts';

const downloadTimeoutMs = 5 * 60_000;
const installTimeoutMs = 120_000;
const pageTimeoutMs = 60_000;
const instead =
  '"npm run test:editor" runs the same tests in code-server instead, which needs neither a download site nor a display.';

/** Starts desktop VS Code, the newest stable or `$MCP_BRIDGE_VSCODE_VERSION`, downloaded once by @vscode/test-electron. */
export async function startDesktopEditor(options: EditorOptions = {}): Promise<EditorSession> {
  const display = process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  if (process.platform === 'linux' && !display) {
    throw new Error(
      `Desktop VS Code needs a display and DISPLAY is not set: start it under xvfb-run. ${instead}`,
    );
  }
  const executable = await downloadEditor();
  const session = new DesktopEditor(executable, await createSessionFolders(options), options);
  try {
    await session.installExtensions();
    return session;
  } catch (error) {
    await session.close().catch(() => undefined);
    throw error;
  }
}

async function downloadEditor(): Promise<string> {
  try {
    return await downloadAndUnzipVSCode({
      version: process.env['MCP_BRIDGE_VSCODE_VERSION'] ?? 'stable',
      timeout: downloadTimeoutMs,
      cachePath: cacheFolder(),
      reporter: new SilentReporter(),
    });
  } catch (error) {
    throw new Error(`Desktop VS Code could not be downloaded (${String(error)}). ${instead}`, {
      cause: error,
    });
  }
}

class DesktopEditor implements EditorSession {
  readonly #executable: string;
  readonly #folders: SessionFolders;
  readonly #options: EditorOptions;
  readonly #marker = new SessionMarker();
  readonly #windows: EditorWindows;
  readonly #pages = new Set<Page>();
  #process: ProcessGroup | undefined;
  #browser: Browser | undefined;

  constructor(executable: string, folders: SessionFolders, options: EditorOptions) {
    this.#executable = executable;
    this.#folders = folders;
    this.#options = options;
    this.#windows = new EditorWindows(folders.announcements);
  }

  get userDataDir(): string {
    return this.#folders.userData;
  }

  get extensionsDir(): string {
    return this.#folders.extensions;
  }

  async installExtensions(): Promise<void> {
    const probe = join(this.#folders.scratch, 'probe.vsix');
    await packFolder(inRepository('test', 'host', 'probe'), probe);
    const install = [probe, ...(this.#options.vsix ?? [])].flatMap((file) => [
      '--install-extension',
      file,
    ]);
    const [cli = this.#executable, ...args] = resolveCliArgsFromVSCodeExecutablePath(
      this.#executable,
      {
        reuseMachineInstall: true,
      },
    );
    await runProgram(cli, [...args, ...this.#places(), ...install, '--force'], {
      env: this.#environment(),
      timeoutMs: installTimeoutMs,
    });
  }

  /** `isolated` has no meaning here: all windows of a desktop editor are of one process. */
  openWindow(folder: string): Promise<EditorWindow> {
    return this.#windows.open(folder, {
      open: async (path) => {
        if (this.#browser === undefined) await this.#launch(path);
        // A second call of the program hands the folder to the one that runs.
        else await this.#runEditor(path);
        return this.#newPage();
      },
      reload: async (_page, window) => {
        // The extension host goes away before it can answer.
        await window.run('workbench.action.reloadWindow').catch(() => undefined);
      },
    });
  }

  logFiles(pattern: RegExp): Promise<string[]> {
    return findLogFiles(this.userDataDir, pattern);
  }

  logs(): Promise<string> {
    return collectLogs(this.#folders);
  }

  async close(): Promise<void> {
    await this.#windows.closeAll();
    await this.#browser?.close().catch(() => undefined);
    try {
      await this.#process?.stop();
      await this.#marker.expectNoProcess();
    } finally {
      await this.#folders.remove();
    }
  }

  async #launch(folder: string): Promise<void> {
    const port = await freePort();
    const args = [`--remote-debugging-port=${port}`, ...this.#flags(), folder];
    this.#process = await startProcessGroup(this.#executable, args, {
      cwd: this.#folders.scratch,
      env: this.#environment(),
      logFile: this.#folders.outputFile,
    });
    const deadline = Date.now() + pageTimeoutMs;
    for (;;) {
      try {
        this.#browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, {
          timeout: 5_000,
        });
        return;
      } catch (error) {
        if (Date.now() > deadline)
          throw new Error(`VS Code did not start.\n${await this.logs()}`, { cause: error });
        await delay(200);
      }
    }
  }

  async #runEditor(folder: string): Promise<void> {
    await runProgram(this.#executable, [...this.#flags(), folder], {
      env: this.#environment(),
      timeoutMs: pageTimeoutMs,
    });
  }

  async #newPage(): Promise<Page> {
    const deadline = Date.now() + pageTimeoutMs;
    while (Date.now() < deadline) {
      const pages = this.#browser?.contexts().flatMap((context) => context.pages()) ?? [];
      const page = pages.find(
        (candidate) => !this.#pages.has(candidate) && /workbench[^/]*\.html/.test(candidate.url()),
      );
      if (page !== undefined) {
        this.#pages.add(page);
        return page;
      }
      await delay(100);
    }
    throw new Error('VS Code opened no window.');
  }

  #flags(): string[] {
    return [
      '--new-window',
      '--skip-welcome',
      '--skip-release-notes',
      '--disable-updates',
      '--no-sandbox',
      '--disable-gpu',
      ...this.#places(),
    ];
  }

  #places(): string[] {
    return ['--user-data-dir', this.userDataDir, '--extensions-dir', this.extensionsDir];
  }

  #environment(): NodeJS.ProcessEnv {
    const foreign = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_TEST|npm_)/;
    const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    return {
      ...Object.fromEntries(inherited),
      PATH: [dirname(pinnedNode), process.env['PATH'] ?? ''].join(delimiter),
      MCP_BRIDGE_PROBE_FOLDER: this.#folders.announcements,
      ...this.#marker.environment,
      ...this.#options.env,
    };
  }
}
