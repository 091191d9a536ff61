import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Disposable } from '../base/disposable.ts';
import { isJsonObject } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type { ProcessExit } from '../core/failures.ts';
import type { StdioLaunch } from '../core/settings/serverConfiguration.ts';
import { LineReader, maxMessageBytes } from './lineReader.ts';
import { killOnExit, shutDown } from './processShutdown.ts';
import { spawnServer, type ServerProcess } from './serverProcess.ts';
import { TextTail } from './textTail.ts';
import { unanswered } from './unanswered.ts';

/** Most lines per server of stdout that are no messages, and of stderr, that are logged one by one. */
const maxNoiseLines = 200;
/** Milliseconds for a process to end that has closed its input. */
const endGrace = 500;
/** Characters of stderr kept to tell why a server ended. */
const lastWordsLength = 4096;

/**
 * MCP transport "stdio" (specification, "Transports") over a process group of its own. What is not a
 * JSON-RPC message on stdout is skipped and logged; stderr always is drained into the log.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** How the process ended, once it has. */
  exit: ProcessExit | undefined;
  /** Whether nothing can be written any more: the process has ended, or is about to. */
  isBroken = false;

  readonly #launch: StdioLaunch;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #lastWords = new TextTail(lastWordsLength);
  #child: ServerProcess | undefined;
  #noiseLines = 0;
  #isClosed = false;
  #killOnExit: Disposable | undefined;

  /** `signal` gives up the start; texts written to `log` and `lastWords` are as the server wrote them. */
  constructor(launch: StdioLaunch, log: Logger, signal: AbortSignal) {
    this.#launch = launch;
    this.#log = log;
    this.#signal = signal;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The end of what the server wrote to stderr. */
  get lastWords(): string {
    return this.#lastWords.text;
  }

  async start(): Promise<void> {
    const child = await spawnServer(this.#launch, this.#signal);
    this.#child = child;
    this.#killOnExit = killOnExit(child);
    const output = new LineReader();
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of output.push(chunk)) {
        if (line.kind === 'line') this.#receive(line.text);
        else this.#dropped(line.head);
      }
    });
    const errors = new LineReader(65_536);
    child.stderr.on('data', (chunk: Buffer) => {
      for (const line of errors.push(chunk)) {
        if (line.kind !== 'line' || line.text === '') continue;
        this.#lastWords.push(`${line.text}\n`);
        this.#noise('stderr', line.text);
      }
    });
    child.stdin.on('error', (error) => {
      this.isBroken = true;
      this.onerror?.(error);
    });
    child.once('exit', (code, signal) => {
      this.exit = { code, signal };
      // Output that is still in the pipes belongs to the session; a child of the server may hold them open.
      const closing = setTimeout(() => this.#closed(), 200);
      child.once('close', () => {
        clearTimeout(closing);
        for (const line of errors.push(Buffer.from('\n'))) {
          if (line.kind === 'line') this.#lastWords.push(line.text);
        }
        this.#closed();
      });
    });
    if (this.#isClosed) {
      await this.close();
      this.#signal.throwIfAborted();
      throw new Error('closed while starting');
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#isClosed || !stdin.writable) {
      throw new Error('the process of the server is gone');
    }
    const error = await new Promise<Error | null | undefined>((resolve) => {
      stdin.write(`${JSON.stringify(message)}\n`, resolve);
    });
    if (!error) return;
    this.isBroken = true;
    // The process is mostly about to end, and how it does says more.
    await delay(endGrace, undefined, { ref: false });
    throw new Error('the server no longer reads its input', { cause: error.message });
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#closed();
    if (child === undefined) return;
    await shutDown(child);
    this.#killOnExit?.dispose();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #receive(line: string): void {
    if (line === '') return;
    const message = parseMessage(line);
    if (message === undefined) this.#noise('stdout', line);
    else this.onmessage?.(message);
  }

  /** Whoever waits for a message that was too large must not wait longer. */
  #dropped(head: string): void {
    const problem = `the server sent a message of more than ${maxMessageBytes} bytes`;
    this.#log.error(`${problem}; it was dropped`);
    const id = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+|"[^"]{0,100}")/.exec(head)?.[1];
    if (id !== undefined) this.onmessage?.(unanswered(JSON.parse(id) as number | string, problem));
  }

  #noise(source: 'stdout' | 'stderr', line: string): void {
    this.#noiseLines += 1;
    const text = `${source}: ${line.slice(0, 2000)}`;
    if (this.#noiseLines <= maxNoiseLines) this.#log.info(text);
    else this.#log.trace(text);
    if (this.#noiseLines === maxNoiseLines) {
      this.#log.info('further output of this server is logged at level "trace" only');
    }
  }
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  // Cheaper than an exception for every line of a banner.
  if (!/^\s*\{/.test(line)) return undefined;
  try {
    const message: unknown = JSON.parse(line);
    // The SDK checks the rest; a wrong form costs that message only.
    if (isJsonObject(message) && message['jsonrpc'] === '2.0') {
      return message as unknown as JSONRPCMessage;
    }
  } catch {
    // Not JSON: the caller logs the line.
  }
  return undefined;
}
