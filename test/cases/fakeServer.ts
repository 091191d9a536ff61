import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { ProcessMark } from '../support/processes.ts';
import { root } from '../support/sources.ts';
import { readJournal, type JournalEntry } from './fake/journal.ts';
import { expand } from './fixture.ts';
import { parseScript } from './fake/script.ts';

type Of<Event> = Extract<JournalEntry, { readonly event: Event }>;

interface FakeLaunch {
  readonly command: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A scripted server as the bridge can start it, and what it saw. Disposing it removes its folder. */
export class FakeServer implements AsyncDisposable {
  readonly folder: string;
  readonly #mark = new ProcessMark();
  readonly #more: readonly string[];

  private constructor(folder: string, more: readonly string[]) {
    this.folder = folder;
    this.#more = more;
  }

  /**
   * `script` as in fixtures of kind `stdio`, generated values not yet expanded. `more`: further arguments of the program, which it
   * does not read. Throws a `FixtureError` when the script cannot be carried out.
   */
  static async create(script: JsonValue, more: readonly string[] = []): Promise<FakeServer> {
    parseScript(expand(script));
    const server = new FakeServer(await mkdtemp(join(tmpdir(), 'mcp-bridge-case-')), more);
    await writeFile(server.#script, JSON.stringify(script));
    return server;
  }

  /** What `mcpBridge.servers` needs to start it. */
  get entry(): JsonObject {
    const { command, args, cwd, env } = this.launch;
    return { command, args, cwd, env };
  }

  get launch(): FakeLaunch {
    const program = join(root, 'test/cases/fake/fakeStdio.ts');
    return {
      command: process.execPath,
      args: [program, this.#script, this.#journalFile, this.folder, ...this.#more],
      cwd: this.folder,
      env: {
        ...this.#mark.env,
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/test-servers'),
      },
    };
  }

  get journal(): JournalEntry[] {
    return existsSync(this.#journalFile) ? readJournal(this.#journalFile) : [];
  }

  events<Event extends JournalEntry['event']>(event: Event): Of<Event>[] {
    return this.journal.filter((entry): entry is Of<Event> => entry.event === event);
  }

  /** Requests of a method, in the order of arrival. */
  requests(method: string): Of<'request'>[] {
    return this.events('request').filter((entry) => entry.method === method);
  }

  /** Process ids of it and of all it started that run now. */
  running(): number[] {
    return this.#mark.running();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  get #script(): string {
    return join(this.folder, 'script.json');
  }

  get #journalFile(): string {
    return join(this.folder, 'journal.jsonl');
  }
}
