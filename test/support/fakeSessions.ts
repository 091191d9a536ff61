import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/event.ts';
import { BridgeError } from '../../src/core/failures.ts';
import type { OpenOptions } from '../../src/mcp/openSession.ts';
import type { Session } from '../../src/mcp/session.ts';
import type { ToolCallOptions } from '../../src/mcp/sessionCalls.ts';
import type { OpenSession } from '../../src/mcp/sessionOpener.ts';
import { toolOf } from './builders.ts';

/** Lets some time pass. */
export type Pause = () => Promise<void>;

const onError = (error: unknown): never => {
  throw error;
};

/**
 * Opens sessions with servers that do not exist, fast. Each session has a number: its process id, and the name
 * of its only tool. Checks that no server ever has two.
 */
export class FakeSessions {
  /** By settings key: the number of what is being opened, is open, or is being closed. */
  readonly alive = new Map<string, number>();
  /** How the next openings end. */
  failure: BridgeError | undefined;
  /** How many there were in all. */
  opened = 0;
  readonly #pause: Pause;
  readonly #crashes = new Map<string, () => void>();

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  readonly open: OpenSession = async (options) => {
    const { key } = options.configuration;
    assert.equal(this.alive.get(key), undefined, `a second session of "${key}" is opened`);
    assert.ok(!options.signal.aborted, 'a start that was given up goes on');
    const number = ++this.opened;
    this.alive.set(key, number);
    await this.#pause();
    const { failure } = this;
    if (failure !== undefined || options.signal.aborted) {
      await this.#pause();
      this.alive.delete(key);
      throw failure ?? new DOMException('Cancelled', 'AbortError');
    }
    return this.#session(number, options);
  };

  /** The server's process dies, which is noticed as an event of its own. */
  crash(key: string): void {
    setImmediate(() => this.#crashes.get(key)?.());
  }

  #session(number: number, { configuration: { key } }: OpenOptions): Session {
    const didClose = new Emitter<void>(onError);
    const didChangeList = new Emitter<'tools'>(onError);
    const ended = new AbortController();
    const assertOpen = (): void => {
      if (ended.signal.aborted) throw new BridgeError('connectionLost', 'It is closed.');
    };
    const end = async (): Promise<void> => {
      ended.abort();
      await this.#pause();
      if (this.alive.get(key) === number) this.alive.delete(key);
    };
    this.#crashes.set(key, () => {
      if (ended.signal.aborted) return;
      this.alive.delete(key);
      ended.abort();
      didClose.fire();
    });
    const none = async (): Promise<object> => ({
      resources: [],
      templates: [],
      prompts: [],
      problems: [],
    });
    const session: Partial<Record<keyof Session, unknown>> = {
      transport: { kind: 'stdio', pid: number, endReason: () => 'it crashed' },
      protocolVersion: '2025-11-25',
      onDidClose: didClose.event,
      changes: {
        onDidChangeList: didChangeList.event,
        onDidFail: new Emitter<void>(onError).event,
        onDidEnd: new Emitter<string>(onError).event,
      },
      endReason: 'it crashed',
      verify: () => Promise.resolve(),
      isBusy: false,
      listTools: async () => {
        await this.#pause();
        assertOpen();
        return { tools: [toolOf(`session_${number}`)], problems: [], isFromCache: false };
      },
      listResources: none,
      listResourceTemplates: none,
      listPrompts: none,
      callTool: async ({ signal }: ToolCallOptions) => {
        assertOpen();
        await this.#pause();
        signal.throwIfAborted();
        assertOpen();
        return { content: [{ type: 'text', text: String(number) }] };
      },
      close: async () => {
        didClose.dispose();
        await end();
      },
    };
    return session as unknown as Session;
  }
}
