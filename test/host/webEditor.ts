import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { findChromium, launchBrowser } from './browser.ts';
import { prepareEditorHost, type EditorHost } from './editorHost.ts';
import type { EditorOptions, EditorSession, OpenOptions } from './editorSession.ts';
import type { EditorWindow } from './editorWindow.ts';
import { EditorWindows } from './editorWindows.ts';
import { rememberedPort } from './freePort.ts';
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

const startTimeoutMs = 45_000;
const installTimeoutMs = 90_000;
const pageTimeoutMs = 60_000;
const orderlyCloseMs = 15_000;

/** Starts code-server as the editor. See `EditorSession`. */
export async function startWebEditor(options: EditorOptions = {}): Promise<WebEditor> {
  const [host, chromium] = await Promise.all([prepareEditorHost(), findChromium()]);
  const session = new WebEditor(host, chromium, await createSessionFolders(options), options);
  try {
    await session.start();
    return session;
  } catch (error) {
    await session.close().catch(() => undefined);
    throw error;
  }
}

/** The editor as a local web server, with headless browsers as its windows. */
export class WebEditor implements EditorSession {
  readonly #host: EditorHost;
  readonly #chromium: string;
  readonly #folders: SessionFolders;
  readonly #options: EditorOptions;
  readonly #marker = new SessionMarker();
  readonly #windows: EditorWindows;
  readonly #browsers: BrowserContext[] = [];
  #shared: Promise<BrowserContext> | undefined;
  #server: ProcessGroup | undefined;
  #port = 0;

  constructor(host: EditorHost, chromium: string, folders: SessionFolders, options: EditorOptions) {
    this.#host = host;
    this.#chromium = chromium;
    this.#folders = folders;
    this.#options = options;
    this.#windows = new EditorWindows(folders.announcements);
  }

  get userDataDir(): string {
    return this.#folders.userData;
  }

  /** The editor, what it starts, and the browser leave the home of the person alone. */
  get #home(): string {
    return join(this.userDataDir, 'home');
  }

  get extensionsDir(): string {
    return this.#folders.extensions;
  }

  /** The address a person opens in a browser to see `folder`. */
  address(folder: string): string {
    const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    return `http://127.0.0.1:${this.#port}/?${kind}=${encodeURIComponent(folder)}`;
  }

  /** Installs the extensions and starts the server. */
  async start(): Promise<void> {
    await Promise.all([this.#installExtensions(), this.#startServer()]);
  }

  openWindow(folder: string, { isolated = false }: OpenOptions = {}): Promise<EditorWindow> {
    return this.#windows.open(folder, {
      open: async (path) => {
        const context = isolated
          ? await this.#browser(`browser-${randomUUID()}`)
          : await this.#sharedBrowser();
        const page = await context.newPage();
        await page.goto(this.address(path), {
          waitUntil: 'domcontentloaded',
          timeout: pageTimeoutMs,
        });
        return page;
      },
      reload: async (page) => {
        await page.reload({ waitUntil: 'domcontentloaded', timeout: pageTimeoutMs });
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
    // Bounded: what does not close in order is found and ended below.
    await Promise.race([this.#closeInOrder(), delay(orderlyCloseMs, undefined, { ref: false })]);
    try {
      await this.#server?.stop();
      await this.#marker.expectNoProcess();
    } finally {
      await this.#folders.remove();
    }
  }

  async #closeInOrder(): Promise<void> {
    await this.#windows.closeAll();
    await Promise.allSettled(this.#browsers.map((browser) => browser.close()));
  }

  #sharedBrowser(): Promise<BrowserContext> {
    this.#shared ??= this.#browser('browser');
    return this.#shared;
  }

  async #browser(name: string): Promise<BrowserContext> {
    const profile = join(this.userDataDir, name);
    const context = await launchBrowser(this.#chromium, profile, {
      HOME: this.#home,
      TMPDIR: this.#folders.temporary,
      ...this.#marker.environment,
    });
    this.#browsers.push(context);
    return context;
  }

  async #installExtensions(): Promise<void> {
    const probe = join(this.#folders.scratch, 'probe.vsix');
    await packFolder(inRepository('test', 'host', 'probe'), probe);
    const install = [probe, ...(this.#options.vsix ?? [])].flatMap((file) => [
      '--install-extension',
      file,
    ]);
    await runProgram(
      this.#host.node,
      [this.#host.entry, ...install, '--force', ...this.#places()],
      {
        env: this.#environment(),
        timeoutMs: installTimeoutMs,
      },
    );
  }

  async #startServer(): Promise<void> {
    this.#port = await rememberedPort(join(this.userDataDir, 'port'));
    const address = ['--auth', 'none', '--bind-addr', `127.0.0.1:${this.#port}`];
    const quiet = ['--disable-telemetry', '--disable-update-check'];
    const args = [this.#host.entry, ...address, ...quiet, ...this.#places()];
    this.#server = await startProcessGroup(this.#host.node, args, {
      cwd: this.#folders.scratch,
      env: this.#environment(),
      logFile: this.#folders.outputFile,
    });
    const deadline = Date.now() + startTimeoutMs;
    while (!(await this.#answers())) {
      if (Date.now() > deadline || !this.#server.isRunning()) {
        const output = await readFile(this.#folders.outputFile, 'utf8').catch(() => '');
        throw new Error(`The editor did not start. It printed:\n${output}`);
      }
      await delay(100);
    }
  }

  async #answers(): Promise<boolean> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.#port}/healthz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(2_000),
      });
      return response.ok;
    } catch {
      return false;
    }
  }

  #places(): string[] {
    const config = join(this.#folders.scratch, 'config.yaml');
    return [
      '--user-data-dir',
      this.userDataDir,
      '--extensions-dir',
      this.extensionsDir,
      '--config',
      config,
    ];
  }

  /** The surroundings of a person's shell, without what would leak from this process: its editor, its test runner, its npm, its home. */
  #environment(): NodeJS.ProcessEnv {
    const foreign = /^(VSCODE_|ELECTRON_|CODE_SERVER|NODE_OPTIONS$|NODE_TEST|npm_|XDG_)/;
    const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
    return {
      ...Object.fromEntries(inherited),
      PATH: [dirname(pinnedNode), process.env['PATH'] ?? ''].join(delimiter),
      HOME: this.#home,
      // Sockets and temporary files of the editor and of what it starts go away with the session.
      TMPDIR: this.#folders.temporary,
      MCP_BRIDGE_PROBE_FOLDER: this.#folders.announcements,
      ...this.#marker.environment,
      ...this.#options.env,
    };
  }
}
