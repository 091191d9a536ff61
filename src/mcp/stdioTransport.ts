import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isJsonObject } from '../base/json.ts';
import { inputBlocked, type ProcessExit } from '../core/failures.ts';
import type { StdioLaunch } from '../core/settings/serverConfiguration.ts';
import { ByteTail } from './byteTail.ts';
import { JunkLimit } from './junkLimit.ts';
import { LineReader, maxMessageBytes } from './lineReader.ts';
import { OutputLog } from './outputLog.ts';
import { shutDown } from './processShutdown.ts';
import { spawnServer, type ServerProcess, type SpawnOptions } from './serverProcess.ts';
import { unanswered } from './unanswered.ts';

/** Most bytes that wait to be read by the server. */
const maxQueuedBytes = 16 * 1024 * 1024;
/** Milliseconds for a process to end that has closed its input. */
const endGrace = 500;
/** Bytes of stderr kept to tell why a server ended. */
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
  /** Why we gave the server up, if we did: what follows `the server: `. */
  failure: string | undefined;

  readonly #launch: StdioLaunch;
  readonly #log: SpawnOptions['log'];
  readonly #signal: AbortSignal;
  readonly #lastWords = new ByteTail(lastWordsLength);
  readonly #junk = new JunkLimit();
  readonly #junkLog: OutputLog;
  readonly #errorLog: OutputLog;
  #child: ServerProcess | undefined;
  #isClosed = false;

  /** `signal` gives up the start; texts written to `log` and `lastWords` are as the server wrote them. */
  constructor(launch: StdioLaunch, log: SpawnOptions['log'], signal: AbortSignal) {
    this.#launch = launch;
    this.#log = log;
    this.#signal = signal;
    this.#junkLog = new OutputLog(log, 'stdout');
    this.#errorLog = new OutputLog(log, 'stderr');
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The end of what the server wrote to stderr. */
  get lastWords(): string {
    return this.#lastWords.text;
  }

  async start(): Promise<void> {
    const child = await spawnServer(this.#launch, { log: this.#log, signal: this.#signal });
    this.#child = child;
    const output = new LineReader();
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of output.push(chunk)) {
        if (this.failure !== undefined) return;
        if (line.kind === 'line') this.#receive(line.text);
        else if (line.kind === 'tooLong') this.#dropped(line.head);
        else this.#giveUp('it was stopped because it wrote a line without end to stdout');
      }
    });
    const errors = new LineReader(65_536);
    const logErrors = (chunk: Buffer): void => {
      for (const line of errors.push(chunk)) {
        if (line.kind === 'line' && line.text !== '') this.#errorLog.push(line.text);
      }
    };
    child.stderr.on('data', (chunk: Buffer) => {
      this.#lastWords.push(chunk);
      if (this.#errorLog.isFull) {
        // Taking a flood apart would cost more than receiving it.
        this.#errorLog.skip(chunk.length);
        errors.skipLine();
      } else logErrors(chunk);
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
        logErrors(Buffer.from('\n'));
        this.#errorLog.flush();
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
    const line = Buffer.from(`${JSON.stringify(message)}\n`);
    const queued = stdin.writableLength;
    if (queued > 0 && queued + line.length > maxQueuedBytes) throw inputBlocked(queued);
    const error = await new Promise<Error | null | undefined>((resolve) => {
      stdin.write(line, resolve);
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
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#junkLog.flush();
    this.#errorLog.flush();
    this.onclose?.();
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (message !== undefined) {
      this.onmessage?.(message);
      return;
    }
    const excess = this.#junk.add(line.length + 1);
    if (line !== '') this.#junkLog.push(line);
    if (excess !== undefined) this.#giveUp(excess);
  }

  /** Reads no more and ends the session; whoever owns it closes us then, which stops the process. */
  #giveUp(reason: string): void {
    this.failure = reason;
    this.#log.error(reason);
    this.#child?.stdout.destroy();
    this.#closed();
  }

  /** Whoever waits for a message that was too large must not wait longer. */
  #dropped(head: string): void {
    const problem = `the server sent a message of more than ${maxMessageBytes} bytes`;
    this.#log.error(`${problem}; it was dropped`);
    const id = /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+|"[^"]{0,100}")/.exec(head)?.[1];
    if (id !== undefined) this.onmessage?.(unanswered(JSON.parse(id) as number | string, problem));
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
