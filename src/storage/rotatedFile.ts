import { appendFile, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Sequencer } from '../base/async.ts';
import type { LineFile } from '../core/audit/auditLog.ts';

export interface RotatedFileOptions {
  /** The newest lines are here, older ones in the same name with `.old`. */
  readonly path: string;
  /** Size from which on a file is put aside. */
  readonly maxBytes: number;
  /** Files that were not written to for so long are deleted, in milliseconds. */
  readonly maxAge: number;
  /** Told once in a row of failures. */
  readonly onError: (error: unknown) => void;
}

/** Most lines that wait to be written. */
const maxWaiting = 10_000;

/** Lines in a file that grows to a size and is then put aside; several windows may write to it. */
export class RotatedFile implements LineFile {
  readonly #options: RotatedFileOptions;
  readonly #sequencer = new Sequencer();
  #waiting: string[] = [];
  #isFailing = false;
  #isTidy = false;

  constructor(options: RotatedFileOptions) {
    this.#options = options;
  }

  append(line: string): void {
    if (this.#waiting.length >= maxWaiting) return;
    this.#waiting.push(line);
    // Lines that come in one burst are written together.
    if (this.#waiting.length === 1) void this.#sequencer.run(() => this.#write());
  }

  /** Resolves when all lines so far are written or have failed to be. */
  async flush(): Promise<void> {
    await this.#sequencer.run(() => this.#write());
  }

  async tail(characters: number): Promise<string> {
    await this.flush();
    const newest = await this.#end(this.#options.path, characters);
    if (newest.length >= characters) return wholeLines(newest);
    const older = await this.#end(this.#old, characters - newest.length);
    return wholeLines(older) + newest;
  }

  async readAll(): Promise<string> {
    await this.flush();
    const [older, newest] = await Promise.all(
      [this.#old, this.#options.path].map((path) => readFile(path, 'utf8').catch(absent)),
    );
    return `${older ?? ''}${newest ?? ''}`;
  }

  get #old(): string {
    return `${this.#options.path}.old`;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
    const { path, maxBytes, onError } = this.#options;
    try {
      await this.#tidy();
      const { size } = await stat(path).catch(() => ({ size: 0 }));
      if (size > maxBytes) await rename(path, this.#old);
      // One write with `O_APPEND`: lines of several windows do not mix. Only the person may read it.
      await appendFile(path, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
      this.#isFailing = false;
    } catch (error: unknown) {
      if (!this.#isFailing) onError(error);
      this.#isFailing = true;
    }
  }

  async #tidy(): Promise<void> {
    if (this.#isTidy) return;
    this.#isTidy = true;
    const { path, maxAge } = this.#options;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (const file of [path, this.#old]) {
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > maxAge) await rm(file, { force: true });
    }
  }

  async #end(path: string, characters: number): Promise<string> {
    const file = await open(path).catch(() => undefined);
    if (file === undefined) return '';
    try {
      const { size } = await file.stat();
      const length = Math.min(size, characters);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8');
    } finally {
      await file.close();
    }
  }
}

/** Without the line that was cut at the beginning. */
function wholeLines(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

function absent(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
