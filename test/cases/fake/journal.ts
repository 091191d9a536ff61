import { appendFileSync, readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';

/** What a fake server saw or did. `at` is milliseconds of the Unix epoch. */
export type JournalEntry = { readonly at: number } & (
  | { readonly event: 'spawn'; readonly pid: number }
  | {
      readonly event: 'request';
      readonly method: string;
      readonly id: JsonValue;
      readonly params: JsonObject;
    }
  | { readonly event: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly event: 'ask'; readonly id: JsonValue; readonly method: JsonValue }
  | {
      readonly event: 'response';
      readonly id: JsonValue;
      readonly result?: JsonValue;
      readonly error?: JsonObject;
    }
  | { readonly event: 'signal'; readonly signal: string }
  | { readonly event: 'stdinEnd' }
  | { readonly event: 'garbage'; readonly line: string }
);

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** Adds an entry at once, so that it is there even when the process is killed next. */
export function note(file: string, entry: Unstamped<JournalEntry>): void {
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), ...entry })}\n`);
}

export function readJournal(file: string): JournalEntry[] {
  // The last line may be half written while the server runs.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}
