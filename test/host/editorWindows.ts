import { realpath } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { EditorWindow } from './editorWindow.ts';
import { awaitProbe } from './probeClient.ts';

/** How a kind of editor shows a folder in a page, and loads that page again. */
export interface PageOpener {
  open(folder: string): Promise<Page>;
  reload(page: Page, window: EditorWindow): Promise<void>;
}

/** What browser.ts installs in every page. */
interface FocusSwitch {
  __mcpBridgeFocus?(value: boolean): void;
}

// Generous: several test processes may load a workbench at the same time on a small machine.
const windowTimeoutMs = 90_000;

/** The open windows of one editor session. */
export class EditorWindows {
  readonly #announcements: string;
  readonly #windows = new Set<EditorWindow>();
  readonly #seen = new Set<string>();
  #opening: Promise<unknown> = Promise.resolve();

  /** `announcements` is the folder where the probes of the session announce themselves. */
  constructor(announcements: string) {
    this.#announcements = announcements;
  }

  /** Opens a window and waits for its probe. One at a time: two windows on one folder could not tell whose probe announced itself. */
  open(folder: string, pages: PageOpener): Promise<EditorWindow> {
    const opened = this.#opening.then(() => this.#open(folder, pages));
    this.#opening = opened.catch(() => undefined);
    return opened;
  }

  async #open(given: string, pages: PageOpener): Promise<EditorWindow> {
    const folder = await realpath(given);
    const page = await pages.open(folder);
    const connect = () => awaitProbe(this.#announcements, folder, this.#seen, windowTimeoutMs);
    const window: EditorWindow = new EditorWindow(
      {
        page,
        folder,
        connect,
        reload: () => pages.reload(page, window),
        onClosed: () => this.#windows.delete(window),
        takeFocus: () => this.#focus(window),
      },
      await connect(),
    );
    this.#windows.add(window);
    return window;
  }

  async #focus(chosen: EditorWindow): Promise<void> {
    await chosen.page.bringToFront();
    // The others lose the focus before the chosen one gets it, as on a desktop.
    const others = [...this.#windows].filter((window) => window !== chosen);
    for (const window of [...others, chosen]) {
      await window.page.evaluate((value) => {
        (globalThis as FocusSwitch).__mcpBridgeFocus?.(value);
      }, window === chosen);
      await window.waitFor(
        'the focus to change',
        (vscode, value) => vscode.window.state.focused === value,
        window === chosen,
      );
    }
  }

  async closeAll(): Promise<void> {
    await Promise.allSettled([...this.#windows].map((window) => window.close()));
  }
}
