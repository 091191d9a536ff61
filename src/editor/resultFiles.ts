import * as vscode from 'vscode';
import { Sequencer, withTimeout } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { filesToRemove, type ResultFiles } from '../core/results/resultFiles.ts';

/** How long a call waits for its file, and how long after the start old files are removed; both in milliseconds. */
const writeTimeout = 10_000;
const cleanupDelay = 30_000;

/**
 * Files with the texts that were too long for the model, in the storage of the extension: of the workspace where there is
 * one. Bounded in number, size and age; the oldest go first. The agent's `read_file` asks the person before
 * it reads there, unless they list the folder in `github.copilot.chat.additionalReadAccessPaths`.
 */
export class ResultFileStore implements ResultFiles, Disposable {
  readonly #folder: vscode.Uri;
  readonly #onError: (error: unknown) => void;
  readonly #sequencer = new Sequencer();
  readonly #cleanup: ReturnType<typeof setTimeout>;
  #written = 0;

  constructor(
    { storageUri, globalStorageUri }: vscode.ExtensionContext,
    onError: (error: unknown) => void,
  ) {
    this.#folder = vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'results');
    this.#onError = onError;
    this.#cleanup = setTimeout(() => {
      this.#sequencer.run(() => this.#makeRoom(0)).catch(onError);
    }, cleanupDelay);
  }

  async write(name: string, text: string): Promise<string | undefined> {
    try {
      return await withTimeout(
        this.#sequencer.run(() => this.#write(name, text)),
        writeTimeout,
      );
    } catch (error: unknown) {
      this.#onError(error);
      return undefined;
    }
  }

  dispose(): void {
    clearTimeout(this.#cleanup);
  }

  async #write(name: string, text: string): Promise<string> {
    const bytes = new TextEncoder().encode(text);
    await this.#makeRoom(bytes.byteLength);
    // Two windows may share the folder.
    const unique = `${Date.now().toString(36)}${(this.#written++).toString(36)}${crypto.randomUUID().slice(0, 4)}`;
    const file = vscode.Uri.joinPath(this.#folder, `${name}-${unique}.txt`);
    await vscode.workspace.fs.writeFile(file, bytes);
    return file.fsPath;
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { fs } = vscode.workspace;
    await fs.createDirectory(this.#folder);
    const names = await fs.readDirectory(this.#folder);
    const files = await Promise.all(
      names.map(async ([name]) => {
        const uri = vscode.Uri.joinPath(this.#folder, name);
        try {
          const { mtime, size } = await fs.stat(uri);
          return [{ uri, mtime, size }];
        } catch {
          // Another window has just removed it.
          return [];
        }
      }),
    );
    for (const { uri } of filesToRemove(files.flat(), bytes, Date.now())) {
      await fs.delete(uri).then(undefined, this.#onError);
    }
  }
}
