import { Emitter, type Event } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AuditEntry } from './auditEntry.ts';
import { auditLine } from './auditLine.ts';
import type { AuditEvent, AuditPort } from './auditPort.ts';

/** Port: where the lines are kept. */
export interface LineFile {
  /** Returns at once; what cannot be kept is counted and reported by the file. */
  append(line: string): void;
  /** The last lines, oldest first, at most so many characters. */
  tail(characters: number): Promise<string>;
  /** All that is kept, oldest first. */
  readAll(): Promise<string>;
}

export interface AuditOptions {
  readonly file: LineFile;
  readonly now: () => Date;
  /** What the person has set. */
  readonly settings: () => { readonly enabled: boolean; readonly values: boolean };
  readonly mask: (text: string) => string;
  readonly onError: (error: unknown) => void;
}

/** Most entries that are shown. */
const maxShown = 200;
const tailCharacters = 400_000;

/** The log of what agents did and what the person decided. It can be read and copied, not changed. */
export class AuditLog implements AuditPort, Disposable {
  readonly #options: AuditOptions;
  readonly #didRecord: Emitter<void>;
  readonly onDidRecord: Event<void>;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.#didRecord = new Emitter(options.onError);
    this.onDidRecord = this.#didRecord.event;
  }

  record(event: AuditEvent): void {
    const { file, now, settings, mask, onError } = this.#options;
    const { enabled, values } = settings();
    if (!enabled) return;
    try {
      file.append(auditLine(event, { time: now(), values, mask }));
      this.#didRecord.fire();
    } catch (error: unknown) {
      onError(error);
    }
  }

  /** The newest entries of all windows, newest first. */
  async recent(): Promise<readonly AuditEntry[]> {
    // Loaded when somebody looks: the schema library is large.
    const { readAuditLines } = await import('./auditEntry.ts');
    const text = await this.#options.file.tail(tailCharacters);
    return readAuditLines(text).slice(-maxShown).toReversed();
  }

  /** The whole log as JSON Lines. */
  async text(): Promise<string> {
    return this.#options.file.readAll();
  }

  dispose(): void {
    this.#didRecord.dispose();
  }
}
