import type { EditorWindow } from './editorWindow.ts';

export interface EditorOptions {
  /** VSIX files to install before the start, in this order. The probe is always installed too. */
  readonly vsix?: readonly string[];
  /** User settings, over the quiet defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folders to use and keep, for tests of a restart; without them the session has its own and removes them. */
  readonly userDataDir?: string;
  readonly extensionsDir?: string;
  /** `restricted`: workspace trust is on and nobody was asked, so folders open in Restricted Mode. Default `trusted`. */
  readonly trust?: 'trusted' | 'restricted';
  /** Additional environment variables of the editor and its extension hosts. `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface OpenOptions {
  /** A browser of its own: the window shares the server with the others, but neither browser storage nor focus. */
  readonly isolated?: boolean;
}

/** A running editor. */
export interface EditorSession {
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** Opens a window on a folder (or a .code-workspace file) and waits until its extensions run. */
  openWindow(folder: string, options?: OpenOptions): Promise<EditorWindow>;
  /** The log lines of all extension hosts of the session, and what the editor printed: for the message of a failing test. */
  logs(): Promise<string>;
  /** Files below the editor's log folder whose path matches, oldest first. */
  logFiles(pattern: RegExp): Promise<string[]>;
  /** Closes all windows and the editor. Throws when a process it started, or one of their descendants, is still there. */
  close(): Promise<void>;
}
