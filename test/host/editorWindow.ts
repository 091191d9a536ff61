import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type * as VscodeApi from 'vscode';
import type { ProbeClient } from './probeClient.ts';
import { inRepository } from './repository.ts';
import type { ScriptedModel } from './scriptedModel.ts';

/** The API object that functions evaluated in a window receive. */
export type Vscode = typeof VscodeApi;

export interface WindowParts {
  readonly page: Page;
  readonly folder: string;
  /** Waits for the probe of a freshly loaded page. */
  readonly connect: () => Promise<ProbeClient>;
  /** Loads the page again. */
  readonly reload: () => Promise<void>;
  /** Takes the window out of its session. */
  readonly onClosed: () => void;
  /** Gives this window the focus and takes it from the others of the session. */
  readonly takeFocus: () => Promise<void>;
}

const waitMs = 15_000;
const pollMs = 100;
const goodbyeMs = 5_000;

/** One window of a running editor. */
export class EditorWindow {
  readonly page: Page;
  readonly folder: string;
  readonly #parts: WindowParts;
  #probe: ProbeClient;

  constructor(parts: WindowParts, probe: ProbeClient) {
    this.page = parts.page;
    this.folder = parts.folder;
    this.#parts = parts;
    this.#probe = probe;
  }

  /** The scripted model of this window. It starts empty again after `reload`. */
  get model(): ScriptedModel {
    return this.#probe.model;
  }

  /** The process id of the extension host. */
  get extensionHostPid(): number {
    return this.#probe.pid;
  }

  /**
   * Runs `fn` in the extension host and resolves with what it returns. It travels as source text: it may use the API object, its
   * arguments and `require`, nothing else around it. Arguments and result travel as JSON.
   */
  async evaluate<Args extends unknown[], Result>(
    fn: (vscode: Vscode, ...args: Args) => Result | PromiseLike<Result>,
    ...args: Args
  ): Promise<Result> {
    return (await this.#probe.evaluate(fn.toString(), args)) as Result;
  }

  /** Executes a command of the editor. */
  run(command: string, ...args: unknown[]): Promise<unknown> {
    return this.evaluate(
      async (vscode, id: string, rest: unknown[]) => {
        const result: unknown = await vscode.commands.executeCommand(id, ...rest);
        try {
          JSON.stringify(result);
          return result;
        } catch {
          return String(result);
        }
      },
      command,
      args,
    );
  }

  /**
   * Evaluates `fn` until it returns something truthy, and resolves with that. Rejects after 15 s (or `timeoutMs` of the first argument) with `what`
   * was waited for and the last value or error.
   */
  async waitFor<Args extends unknown[], Result>(
    what: string | { readonly what: string; readonly timeoutMs: number },
    fn: (vscode: Vscode, ...args: Args) => Result | PromiseLike<Result>,
    ...args: Args
  ): Promise<NonNullable<Result>> {
    const { what: name, timeoutMs } = typeof what === 'string' ? { what, timeoutMs: waitMs } : what;
    const deadline = Date.now() + timeoutMs;
    let last: unknown;
    do {
      try {
        const value = await this.evaluate(fn, ...args);
        if (value) return value;
        last = JSON.stringify(value);
      } catch (error) {
        last = error;
      }
      await delay(pollMs);
    } while (Date.now() < deadline);
    throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${name}. Last seen: ${String(last)}`);
  }

  /** Saves a picture of the window as dist/screenshots/<name>.png and resolves with its path. */
  async screenshot(name: string): Promise<string> {
    const folder = inRepository('dist', 'screenshots');
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  /** Makes this the focused window of the session, and every other one unfocused. */
  focus(): Promise<void> {
    return this.#parts.takeFocus();
  }

  /** Reloads the window and waits for its new extension host. */
  async reload(): Promise<void> {
    const before = this.#probe;
    await this.#parts.reload();
    this.#probe = await this.#parts.connect();
    await ended(before);
  }

  /** Closes the window and waits for its extension host to end. */
  async close(): Promise<void> {
    this.#parts.onClosed();
    await this.page.close();
    await ended(this.#probe);
  }
}

/** Waits, within bounds, until the extension host of a window that went away has shut down by itself. */
async function ended(probe: ProbeClient): Promise<void> {
  const deadline = Date.now() + goodbyeMs;
  while (Date.now() < deadline && (await probe.isAlive())) await delay(50);
}
